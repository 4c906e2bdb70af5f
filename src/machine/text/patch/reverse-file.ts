import type { BinaryChange, FilePatch } from './patch-types.ts'
import { reverseHunk } from './apply-hunks.ts'

/** The section that undoes a section; a copy turns into a copy back, which then finds its target there. */
export function reverseFile(file: FilePatch): FilePatch {
  const { kind, from, to, oldMode, newMode } = file
  return {
    form: file.form,
    at: file.at,
    kind: kind === 'create' ? 'delete' : kind === 'delete' ? 'create' : kind,
    ...(to === undefined ? {} : { from: to }),
    ...(from === undefined ? {} : { to: from }),
    ...(newMode === undefined ? {} : { oldMode: newMode }),
    ...(oldMode === undefined ? {} : { newMode: oldMode }),
    ...(file.guessed ? { guessed: true as const } : {}),
    ...(file.binary ? { binary: reverseBinary(file.binary) } : {}),
    hunks: file.hunks.map(reverseHunk),
  }
}

const reverseBinary = ({ oldId, newId, data, backward }: BinaryChange): BinaryChange => ({
  oldId: newId,
  newId: oldId,
  data: backward,
  backward: data,
})
