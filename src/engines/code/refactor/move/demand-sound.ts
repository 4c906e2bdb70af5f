import { createHash } from 'node:crypto'
import { ToolError } from '../../../../kernel/error.ts'
import { spliced } from '../../../text/edit/splice-text.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import { stagedTexts, type StagedTexts } from '../../servers/staged-texts.ts'
import type { FileEdit } from '../../types.ts'
import type { Sources } from '../source.ts'

/** Shows the result to the server, and refuses it where it finds something wrong that was not wrong before. */
export async function demandSound(
  parts: CodeParts,
  sources: Sources,
  edits: readonly FileEdit[],
  path: string,
  deadline: Deadline,
): Promise<void> {
  const before = stagedTexts(parts.root, parts.staging)
  const texts = new Map(before.texts)
  const hash = createHash('sha256').update(before.key)
  for (const edit of edits) {
    if (edit.kind === 'move') continue
    const text = edit.kind === 'create' ? edit.text : spliced(edit.path, sources(edit.path).text, edit.splices)
    texts.set(edit.path, text)
    hash.update(`${edit.path}\0${text}\0`)
  }
  const there = edits.filter(({ kind }) => kind === 'change').map(edit => edit.path)
  const all = edits.map(edit => edit.path)
  const known = await faults(parts, path, before, there, deadline)
  const found = await faults(parts, path, { key: hash.digest('hex'), texts }, all, deadline)
  for (const { words } of known) {
    const same = found.findIndex(each => each.words === words)
    if (same >= 0) found.splice(same, 1)
  }
  const [first] = found
  if (!first) return
  throw new ToolError('conflict', `It cannot be moved as it is: ${first.place}: ${first.words}`, {
    hint: 'Nothing was changed. Make it independent of its file first, or edit by text',
    details: { faults: found.slice(0, 20).map(({ place, words }) => ({ place, message: words })) },
  })
}

interface Fault {
  readonly place: string
  readonly words: string
}

async function faults(
  parts: CodeParts,
  path: string,
  staged: StagedTexts,
  paths: readonly string[],
  deadline: Deadline,
): Promise<Fault[]> {
  return parts.servers.ask(path, staged, deadline, async server => {
    if (!server.can('diagnostic')) return []
    const found: Fault[] = []
    for (const file of paths)
      for (const { message, range, severity } of await server.diagnostics(file))
        if (severity === undefined || severity === 1)
          found.push({ place: `${file}:${range.start.line + 1}`, words: message })
    return found
  })
}
