/** Programs that stand for another program with a subcommand. */
const WHOLE: Readonly<Record<string, readonly [string, ...string[]]>> = {
  npx: ['npm', 'exec'],
  pnpx: ['pnpm', 'dlx'],
  bunx: ['bun', 'x'],
  yarnpkg: ['yarn'],
  'docker-compose': ['docker', 'compose'],
  'docker-buildx': ['docker', 'buildx'],
  'podman-compose': ['podman', 'compose'],
}

/**
 * Splits a program's name into the words that it implies: `git-push` is `git push`, `mkfs.ext4` is one of `mkfs`,
 * `python3.12` is `python3`.
 */
export function familyName(name: string): readonly [string, ...string[]] {
  const [, git] = /^git-(.+)$/.exec(name) ?? []
  if (git !== undefined) return ['git', git]
  const whole = Object.hasOwn(WHOLE, name) ? WHOLE[name] : undefined
  if (whole) return whole
  const [, family] = /^(mkfs|fsck|mount|umount)\.\w+$|^(.*[a-z]\d*)[.-]\d[\d.]*$/.exec(name)?.filter(Boolean) ?? []
  return [family ?? name]
}

/** Other names of the same program. */
const TWINS: Readonly<Record<string, string>> = {
  gmake: 'make',
  gsed: 'sed',
  gtar: 'tar',
  nodejs: 'node',
}

/** Returns one name for all names of a program: `pip` for `pip3.11`. Another program that does the same is no twin. */
export function twinName(name: string): string {
  const [, family] = /^(python|pypy|pip)-?\d[\d.]*$/.exec(name) ?? []
  return family ?? (Object.hasOwn(TWINS, name) ? (TWINS[name] ?? name) : name)
}
