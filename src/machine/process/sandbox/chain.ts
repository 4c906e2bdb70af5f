import { openSync } from 'node:fs'
import { bridges } from './bridges.ts'
import { bubblewrapOptions, type Abilities, type Content, type OptionParts } from './bubblewrap-options.ts'
import { openData } from './data-file.ts'
import { ARGUMENTS, CONTENT, INFO, SECCOMP } from './descriptors.ts'
import { unreadableCopy } from './first-shell.ts'
import { SETUP_MARK } from './orphaned-setups.ts'
import { overlayMount } from './overlay-mount.ts'
import { seccompFilter } from './seccomp.ts'
import type { Situation } from './situation.ts'

/** Programs that exec one another, from our child to the command, with the descriptors they read. */
interface Chain {
  /** Words to start it with. Closes inherited open descriptors before the command begins. */
  argv(left?: readonly number[]): readonly string[]
  readonly given: Map<number, number>
  /** Removes the files created for the mounts. Call it when the chain has ended. */
  remove(): void
}

export interface ChainParts extends Omit<OptionParts, 'content' | 'bridge'> {
  readonly bubblewrap: string
  readonly memoryCounted: boolean
  readonly tellsInit: boolean
  /** The shell that passes descriptors knows only single digits, so few are passed and host files are bound. */
  readonly namedContent?: boolean
}

/**
 * Builds the chain for one command: mounts (an overlay), rights (dropped first on another user's tree), bubblewrap,
 * command.
 */
export function chain(parts: ChainParts, command: readonly string[]): Chain {
  const { spec, situation, abilities } = parts
  const descriptors = new Map<number, number>()
  const removals: (() => void)[] = []
  const first = parts.namedContent ? INFO + 1 : CONTENT
  const content: Content = {
    data: text => give(descriptors, first, openData(text)),
    file: path => (parts.namedContent ? undefined : give(descriptors, first, openSync(path, 'r'))),
    unreadable(path) {
      const copy = unreadableCopy(path)
      removals.push(copy.remove)
      return copy.path
    },
  }
  const dropsFirst = abilities.userNamespace && situation.name === 'root-on-user'
  const bridging = dropsFirst ? bridges(ownPlaces(parts), situation) : undefined
  const filter = filterFor(parts.memoryCounted)
  const options = [
    ...bubblewrapOptions({ ...parts, content, bridge: path => bridging?.at(path) ?? path }),
    ...(filter ? ['--seccomp', String(SECCOMP)] : []),
    ...(parts.tellsInit ? ['--info-fd', String(INFO)] : []),
  ]
  descriptors.set(ARGUMENTS, openData(`${options.join('\0')}\0`))
  if (filter) descriptors.set(SECCOMP, openData(filter))
  const overlay = spec.tree.kind === 'overlay' ? overlayMount(spec.root, spec.tree, situation) : undefined
  const before = [...(bridging?.prefix ?? []), ...(overlay?.prefix ?? []), ...(dropsFirst ? asUser(situation) : [])]
  return {
    argv(left = []) {
      // bubblewrap closes descriptors after it has read arguments from them, and /dev/null holds none.
      const sources = [ARGUMENTS, ...left].flatMap(fd => ['--args', String(fd)])
      return [...before, parts.bubblewrap, ...SETUP_MARK, ...sources, '--', ...command]
    },
    given: descriptors,
    remove() {
      overlay?.remove()
      bridging?.remove()
      for (const remove of removals) remove()
    },
  }
}

/** Places in our own state that are mounted. */
const ownPlaces = ({ spec: { tree, network }, standIns, seeds }: ChainParts): string[] => [
  ...(tree.kind === 'copy' ? [tree.path] : []),
  ...(network ? [network.socket] : []),
  ...(standIns ? [standIns.directory] : []),
  ...(seeds === undefined ? [] : [seeds]),
]

const filters = new Map<boolean, Uint8Array | undefined>()

function filterFor(memoryCounted: boolean): Uint8Array | undefined {
  if (!filters.has(memoryCounted)) filters.set(memoryCounted, seccompFilter({ memoryCounted }))
  return filters.get(memoryCounted)
}

/**
 * Words that drop root's rights inside, without a user namespace. A change of user unbinds a process from its parent.
 */
export const innerDrop = (
  situation: Situation,
  abilities: Abilities,
  programPlace: (program: string) => string = program => program,
): readonly string[] => {
  if (abilities.userNamespace) return []
  const [setpriv = '', ...words] =
    situation.name === 'root-on-user' ? asUser(situation) : ['/usr/bin/setpriv', ...RIGHTS, '--']
  return [programPlace(setpriv), '--pdeathsig', 'KILL', ...words]
}

const RIGHTS = ['--bounding-set', '-all', '--inh-caps', '-all', '--no-new-privs']

const asUser = ({ uid, gid }: Situation): string[] => {
  const identity = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups']
  return ['/usr/bin/setpriv', ...identity, ...RIGHTS, '--']
}

function give(given: Map<number, number>, first: number, fd: number): number {
  const at = first + given.size
  given.set(at, fd)
  return at
}
