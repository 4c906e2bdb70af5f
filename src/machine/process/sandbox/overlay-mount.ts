import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Situation } from './situation.ts'
import type { OverlayLayers, Tree } from './types.ts'

const OPTIONS = 'userxattr,index=off,xino=off,metacopy=off,redirect_dir=nofollow'
/** Characters that are special in an overlay's option string, or that mount would read differently. */
const SPECIAL = /[:,\\\s"']/

interface OverlayMount {
  /** Precedes the program that sees the merged tree at the workspace's path. */
  readonly prefix: readonly string[]
  remove(): void
}

/** Mounts each, given its source directory, options and target; then becomes the program. */
const SCRIPT =
  'while [ "$1" != -- ]; do cd "$1" && mount -n -i -t overlay -o "$2" toolwright "$3" && shift 3 || exit; done; shift; exec "$@"'

/** Mounts the layers over the workspace, and over other changeable directories, in a separate mount namespace. */
export function overlayMount(
  root: string,
  tree: Extract<Tree, { kind: 'overlay' }>,
  situation: Situation,
): OverlayMount {
  const mounts = [{ ...tree, place: root }, ...(tree.second ? [tree.second] : [])].map(({ place, ...layers }) => {
    const plain = [...layers.lower, layers.upper, layers.work].every(path => !SPECIAL.test(path))
    const names = plain ? undefined : linkLayers(layers)
    const { lower, upper, work } = names ?? layers
    const options = `lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work},${OPTIONS}`
    return { names, words: [names?.directory ?? '/', options, place] }
  })
  return {
    prefix: [...unshareWords(situation), '/bin/sh', '-c', SCRIPT, 'sh', ...mounts.flatMap(({ words }) => words), '--'],
    remove() {
      for (const { names } of mounts) if (names) rmSync(names.directory, { recursive: true, force: true })
    },
  }
}

/** Root mounts as itself: an overlay in a user namespace cannot show files with an unmapped owner. */
const unshareWords = ({ name }: Situation): string[] =>
  name === 'user'
    ? ['/usr/bin/unshare', '--user', '--map-root-user', '--mount', '--']
    : ['/usr/bin/unshare', '--mount', '--propagation', 'private', '--']

/** Creates short names for the layers in the source directory. */
function linkLayers({ lower, upper, work }: OverlayLayers) {
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
