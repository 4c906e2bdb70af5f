interface ChangedLines {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

const NO_LINE_BREAK = '\\ No newline at end of file'

/**
 * Returns the added and removed lines of unified diffs, with their marks. Counts only lines between a `@@` and the next
 * file's header: a removed `-- note` reads `--- note` there, like a header.
 */
export function changedLines(diff: string): ChangedLines {
  const addedLines: string[] = []
  const removedLines: string[] = []
  const lines = diff.split('\n')
  let inHunk = false
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('@@ ')) inHunk = true
    else if (line.startsWith('diff --git ')) inHunk = false
    if (!inHunk) continue
    if (line.startsWith('-')) removedLines.push(line)
    if (!line.startsWith('+')) continue
    const [before, after = ''] = [lines[at - 1], lines[at + 1]]
    const isSame = removedLines.at(-1)?.slice(1) === line.slice(1)
    if (isSame && before === NO_LINE_BREAK && after.startsWith('+'))
      // Lines were appended after this one, which only got its missing line break.
      removedLines.pop()
    else if (isSame && before === NO_LINE_BREAK) addedLines.push(`${line} (now with a line break)`)
    else if (isSame && after === NO_LINE_BREAK) addedLines.push(`${line} (now without a line break)`)
    else addedLines.push(line)
  }
  return { added: addedLines, removed: removedLines }
}

/** Returns the most informative line of a change: the first that is not blank. */
export const tellingLine = (lines: readonly string[]): string | undefined =>
  lines.find(line => line.slice(1).trim() !== '') ?? lines[0]
