import type { FilePatch, Hunk } from './patch-types.ts'
import { badPatch, stricter } from './patch-error.ts'
import { bodyOf, linesOf } from './byte-lines.ts'
import { patchPath } from './patch-path.ts'

/** Reads SEARCH/REPLACE blocks: a path, then the existing lines and the new lines. */
export function parseBlocks(text: string, mostFiles: number): FilePatch[] {
  const lines = linesOf(text).map(bodyOf)
  const files: { path: string; at: number; hunks: Hunk[]; creates: boolean }[] = []
  let after = 0
  for (let at = 0; at < lines.length; at++) {
    if (!isSearch(lines[at] ?? '')) continue
    const path = pathBefore(lines, after, at) ?? files.at(-1)?.path
    if (path === undefined)
      throw badPatch(at + 1, 'no file is named above the block', 'Write the path on its own line.')
    const { hunk, next } = readBlock(lines, at)
    const last = files.at(-1)
    if (last?.path === path && !last.creates && hunk.oldLines > 0) last.hunks.push(hunk)
    else files.push({ path, at: at + 1, hunks: [hunk], creates: hunk.oldLines === 0 })
    if (files.length > mostFiles)
      throw stricter('size', at + 1, `the patch has more than ${mostFiles} files`, 'Split the patch.')
    at = next - 1
    after = next
  }
  return files.map(({ path, at, hunks, creates }) =>
    creates
      ? { form: 'blocks', at, kind: 'create', to: path, hunks }
      : { form: 'blocks', at, kind: 'change', from: path, to: path, hunks },
  )
}

export const isSearch = (line: string): boolean => /^<{5,9} SEARCH>?\s*$/.test(line)
const isDivider = (line: string): boolean => /^={5,9}\s*$/.test(line)
const isReplace = (line: string): boolean => /^>{5,9} REPLACE\s*$/.test(line)

function readBlock(lines: readonly string[], start: number): { readonly hunk: Hunk; readonly next: number } {
  let end = start + 1
  while (end < lines.length && !isReplace(lines[end] ?? '') && !isSearch(lines[end] ?? '')) end++
  if (!isReplace(lines[end] ?? ''))
    throw badPatch(start + 1, 'the block has no `>>>>>>> REPLACE`', 'Send every block whole.')
  const body = lines.slice(start + 1, end)
  const divider = body.findIndex(isDivider)
  if (divider < 0) throw badPatch(start + 1, 'the block has no `=======`', 'Separate the old lines from the new ones.')
  if (body.slice(divider + 1).some(isDivider))
    throw badPatch(start + 1, 'the block has more than one `=======`', 'Use a unified diff for text with such a line.')
  const search = body.slice(0, divider)
  const replace = body.slice(divider + 1)
  if (search.length > 0 && search.join('\n') === replace.join('\n'))
    throw badPatch(start + 1, 'the block changes nothing')
  const context = commonEnds(search, replace)
  const hunkLines = [
    ...search.slice(0, context.before).map(line => ` ${line}\n`),
    ...search.slice(context.before, search.length - context.after).map(line => `-${line}\n`),
    ...replace.slice(context.before, replace.length - context.after).map(line => `+${line}\n`),
    ...search.slice(search.length - context.after).map(line => ` ${line}\n`),
  ]
  const counts = { oldStart: 0, oldLines: search.length, newStart: 0, newLines: replace.length }
  return { hunk: { at: start + 1, place: 'text', lines: hunkLines, ...counts }, next: end + 1 }
}

/** Counts the lines that both sides share at their beginning and end: those keep the file's bytes. */
function commonEnds(left: readonly string[], right: readonly string[]) {
  const most = Math.min(left.length, right.length)
  let before = 0
  while (before < most && left[before] === right[before]) before++
  let after = 0
  while (after < most - before && left[left.length - 1 - after] === right[right.length - 1 - after]) after++
  return { before, after }
}

/**
 * Returns the last line with text above the block, ignoring code fences, or undefined if the block directly follows
 * another.
 */
function pathBefore(lines: readonly string[], from: number, to: number): string | undefined {
  for (let at = to - 1; at >= from; at--) {
    const line = (lines[at] ?? '').trim()
    if (line === '' || /^(?:```|~~~)\S*$/.test(line)) continue
    const path = line
      .replace(/^#+\s+/, '')
      .replace(/:$/, '')
      .replace(/^(\*\*|`)(.*)\1$/, '$2')
      .replace(/^`(.*)`$/, '$1')
    if (/\s/.test(path) && !/\.\w+$/.test(path))
      throw badPatch(at + 1, 'this line above the block does not look like a path', 'Write the path on its own line.')
    return patchPath(path, at + 1)
  }
  return undefined
}
