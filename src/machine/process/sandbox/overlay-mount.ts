import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Situation } from './situation.ts'
import type { Tree } from './types.ts'

const OPTIONS = 'userxattr,index=off,xino=off,metacopy=off,redirect_dir=nofollow'
/** Characters that the option string of an overlay gives a meaning to, or that mount would read differently. */
const SPECIAL = /[:,\\\s"']/

export interface OverlayMount {
  /** Goes before the program that is to see the merged tree at the workspace's path. */
  readonly prefix: readonly string[]
  remove(): void
}

/** Mounts the layers over the workspace, in a mount namespace of the command's own. */
export function overlayMount(
  root: string,
  tree: Extract<Tree, { kind: 'overlay' }>,
  situation: Situation,
): OverlayMount {
  const plain = [...tree.lower, tree.upper, tree.work].every(path => !SPECIAL.test(path))
  const names = plain ? undefined : linked(tree)
  const { lower, upper, work } = names ?? tree
  const options = `lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work},${OPTIONS}`
  const script = 'cd "$1" && mount -n -i -t overlay -o "$2" toolwright "$3" && shift 3 && exec "$@"'
  return {
    prefix: [...unshared(situation), '/bin/sh', '-c', script, 'sh', names?.directory ?? '/', options, root],
    remove() {
      if (names) rmSync(names.directory, { recursive: true, force: true })
    },
  }
}

/** Root mounts as itself: an overlay of a user namespace cannot show files whose owner is not mapped there. */
const unshared = ({ name }: Situation): string[] =>
  name === 'user'
    ? ['/usr/bin/unshare', '--user', '--map-root-user', '--mount', '--']
    : ['/usr/bin/unshare', '--mount', '--propagation', 'private', '--']

/** Short names for the layers in a directory to mount from. */
function linked({ lower, upper, work }: Extract<Tree, { kind: 'overlay' }>) {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-layers-'))
  const name = (target: string, link: string) => {
    symlinkSync(target, join(directory, link))
    return link
  }
  return {
    directory,
    lower: lower.map((path, at) => name(path, `l${at}`)),
    upper: name(upper, 'u'),
    work: name(work, 'w'),
  }
}
