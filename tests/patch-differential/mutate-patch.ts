import type { Random } from './random.ts'

/** A patch as mailers, editors and models damage it; bytes as latin-1. */
export function mutatedPatch(random: Random, patch: string): string {
  let damaged = patch
  for (let left = 1 + random.int(2); left > 0; left--) damaged = mutated(random, damaged)
  return damaged
}

function mutated(random: Random, patch: string): string {
  const lines = patch.split(/(?<=\n)/)
  const at = random.int(lines.length)
  const line = lines[at] ?? ''
  const act = random.int(14)
  if (act === 0) lines.splice(at, 1)
  else if (act === 1) lines.splice(at, 0, line)
  else if (act === 2) lines.splice(at, 0, random.pick(STRAY))
  else if (act === 3) lines[at] = line.replace(/[a-z0-9]/, random.pick(['x', '1', 'b', ' ']))
  else if (act === 4) return patch.replace(/^ \n/gm, '\n')
  else if (act === 5) return patch.replace(/\r?\n/g, '\r\n')
  else if (act === 6) return patch.slice(0, random.int(patch.length))
  else if (act === 7) lines[at] = random.pick([' ', '-', '+', '\\']) + line.slice(1)
  else if (act === 8) return `Some words first.\n\nIndex: x\n${patch}-- \n2.39.5\n`
  else if (act === 9)
    return patch.replace(/^(@@ -)(\d+)/gm, (_, head, from) => `${head}${Number(from) + random.int(4)}`)
  else if (act === 10)
    return patch.replace(/^(@@ -\d+(?:,\d+)? \+)(\d+)/gm, (_, head, to) => `${head}${random.int(2 * Number(to) + 3)}`)
  else if (act === 11) return patch.replace(/^(@@ [^@]*@@).*$/gm, '$1 function of(some) {')
  else if (act === 12) return patch.replace(/^\\ .*\n/m, '')
  else lines.splice(at, 2, ...lines.slice(at, at + 2).toReversed())
  return lines.join('')
}

/** A patch whose line numbers are off, or with one of its hunks twice: where hunks go is left to their text. */
export const movedPatch = (random: Random, patch: string): string =>
  random.chance(0.7)
    ? shifted(patch, random.pick([1, 1, 2, 2, 3, -1, -1, -2, -2, -3, 9]))
    : withHunkTwice(random, patch)

/** Every hunk that many lines further down. */
const shifted = (patch: string, by: number): string =>
  patch.replace(/^@@ -(\d+)((?:,\d+)?) \+(\d+)/gm, (_, from: string, count: string, to: string) => {
    const moved = (line: string): number => Math.max(1, Number(line) + by)
    return `@@ -${moved(from)}${count} +${moved(to)}`
  })

function withHunkTwice(random: Random, patch: string): string {
  const hunks = patch.match(/^@@ -\d.*\n(?:[ +\\-].*\n)*?(?=@@ -|diff |$(?!\n))/gm) ?? []
  const hunk = hunks[random.int(hunks.length)]
  return hunk === undefined ? patch : patch.replace(hunk, () => hunk + shifted(hunk, random.int(5)))
}

const STRAY = [
  '\n',
  ' \n',
  '+stray\n',
  '-stray\n',
  ' stray\n',
  '\\ No newline at end of file\n',
  '@@ -1 +1 @@\n',
  '--- a/a.txt\n',
  '+++ b/a.txt\n',
  'diff --git a/a.txt b/a.txt\n',
  'rename to a.txt\n',
  'old mode 100644\n',
  'new file mode 100644\n',
  'deleted file mode 100644\n',
  'index 0000000..1111111 100644\n',
] as const
