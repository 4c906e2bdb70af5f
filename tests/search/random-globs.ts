import type { Random } from '../patch-differential/random.ts'

/** Globs that are likely to name some of these files, and others that nearly do. */
export function randomGlobs(random: Random, paths: readonly string[]): readonly string[] {
  return Array.from({ length: 1 + random.int(4) }, () => {
    const glob = randomGlob(random, paths)
    return random.chance(0.4) ? `!${glob}` : glob
  })
}

function randomGlob(random: Random, paths: readonly string[]): string {
  const names = (paths[random.int(paths.length)] ?? 'a').split('/')
  const from = random.int(names.length)
  const some = names.slice(random.chance(0.5) ? 0 : from, random.chance(0.7) ? names.length : from + 1)
  const parts = some.map(name => (random.chance(0.5) ? escaped(name) : loosened(random, name)))
  if (random.chance(0.25)) parts.splice(random.int(parts.length + 1), random.int(2), '**')
  const path = parts.length === 0 ? '*' : parts.join('/')
  // Where `**` begins an alternative, ripgrep reads it as `*`.
  const glob =
    random.chance(0.1) && !path.startsWith('**') ? `{${path},${escaped(paths[random.int(paths.length)] ?? 'a')}}` : path
  const [top, end] = [random.chance(0.1) ? '/' : '', random.chance(0.2) ? '/' : '']
  return top + glob + end
}

const escaped = (name: string): string => name.replaceAll(/[*?[\]{},!\\]/g, '\\$&')

function loosened(random: Random, name: string): string {
  const chars = [...name]
  const isAscii = /^[\0-\x7f]*$/.test(name)
  const at = random.int(chars.length)
  const [before, after] = [escaped(chars.slice(0, at).join('')), escaped(chars.slice(at + 1).join(''))]
  const char = chars[at] ?? 'a'
  const letter = /[a-y]/.test(char) ? char : 'a'
  // ripgrep takes bytes where we take characters.
  const one = isAscii ? random.pick(['?', `[${letter}b]`, `[!${letter}]`, '[a-m]', '[!0-9]']) : '*'
  return random.pick([
    '*',
    `${before}*`,
    `*${after}`,
    `${before}*${after}`,
    before + one + after,
    `${before}{${escaped(char)},z}${after}`,
    `${before}**${after}`,
    `{${before}x,*${after}}`,
  ])
}
