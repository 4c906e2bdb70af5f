import { chmodSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { StartPlace } from '../../../kernel/start-rules.ts'
import type { Surroundings } from './ancestors.ts'
import { programFiles, type ProgramFile, type ProgramPlaces } from './program-files.ts'
import { OWN } from './places.ts'
import type { Situation } from './situation.ts'
import { CHANNEL, PROGRAMS, programStandIn, scriptStandIn, SHELL } from './stand-in-script.ts'
import { openChannel } from './start-channel.ts'
import type { StartGuard } from './types.ts'

/** The running command, as its stand-ins see it. */
export interface GuardedCommand {
  /** Returns the ancestor programs of a process, outermost first, by its inside number. */
  ancestors(pid: number): readonly string[]
  /** Returns the working directory of a process and the names of its variables. */
  surroundings(pid: number): Surroundings
  /** Returns the words of its parent program. */
  parent(pid: number): readonly string[]
  /** Stops the command's clock. Returns a function that resumes it. */
  pauseClock(): () => void
}

/** Stand-ins of one command: each replaces a program named by rules. */
export interface StandIns {
  /** Directory of ours that the mounting user must reach. */
  readonly directory: string
  options(bridge: (path: string) => string): string[]
  /** Returns a program that we start ourselves, bypassing its stand-in. */
  own(program: string): string
  serve(started: GuardedCommand): void
  close(): void
}

const UNJUDGED = 'this start could not be judged'

const filesByKey = new Map<string, readonly ProgramFile[]>()

/** Opens the stand-ins for these programs. Returns undefined if the sandbox shows none of them. */
export function openStandIns(guard: StartGuard, places: ProgramPlaces, situation: Situation): StandIns | undefined {
  const shell = standInShell()
  const key = JSON.stringify([guard.programs, places])
  const files = filesByKey.get(key) ?? programFiles(guard, places)
  filesByKey.set(key, files)
  if (files.length === 0 || shell === undefined) return undefined
  const owner = situation.name === 'root-on-user' ? situation : undefined
  const channel = openChannel(JSON.stringify(files), owner, directory =>
    files.forEach((file, at) => writeStandIn(directory, file, at)),
  )
  const { directory } = channel
  return {
    directory,
    options: bridge => [
      ...openDirectories(OWN, PROGRAMS),
      '--ro-bind',
      bridge(directory),
      CHANNEL,
      '--ro-bind',
      shell,
      SHELL,
      ...files.flatMap((file, at) => [
        ...(file.interpreter ? [] : programOptions(file, at)),
        ...file.places.flatMap(place => ['--ro-bind', join(bridge(directory), String(at)), place]),
      ]),
    ],
    own(program) {
      const real = existsSync(program) ? realpathSync(program) : program
      const at = files.findIndex(({ source, interpreter }) => source === real && !interpreter)
      const file = files[at]
      return file ? programPlace(file, at) : program
    },
    serve(started) {
      channel.serve(async ({ file, pid, path, args }) => {
        const { names } = files[file] ?? {}
        if (names === undefined) return UNJUDGED
        const isFixed = isFixedPlace(path, places)
        const chain = (): readonly string[] => started.ancestors(pid)
        const verdict = guard.judge({
          names,
          path,
          isFixed,
          args,
          chain,
          parent: () => started.parent(pid),
          place: () => placeOf(started, pid, places),
        })
        if (!(verdict instanceof Promise)) return verdict
        // The command waits while a person is asked.
        const resume = started.pauseClock()
        return verdict.catch(() => UNJUDGED).finally(resume)
      })
    },
    close: channel.close,
  }
}

function placeOf(started: GuardedCommand, pid: number, { root }: ProgramPlaces): StartPlace {
  const { directory, variables } = started.surroundings(pid)
  const below = directory === undefined ? undefined : relative(root, directory)
  const isInside = below !== undefined && below !== '..' && !below.startsWith('../')
  return { directory: isInside ? below : undefined, variables, parent: started.ancestors(pid).at(-1) ?? '' }
}

/** Finds a shell that can set a program's own name and read a single byte: bash, or busybox's. */
export function standInShell(): string | undefined {
  if (existsSync('/bin/bash')) return realpathSync('/bin/bash')
  const shell = existsSync('/bin/sh') ? realpathSync('/bin/sh') : ''
  return basename(shell) === 'busybox' ? shell : undefined
}

function writeStandIn(directory: string, { interpreter, source }: ProgramFile, at: number): void {
  const file = join(directory, String(at))
  if (interpreter) {
    const content = readFileSync(source)
    const end = content.indexOf('\n')
    writeFileSync(`${file}-interpreter`, scriptStandIn(at, interpreter))
    chmodSync(`${file}-interpreter`, 0o555)
    writeFileSync(file, Buffer.concat([Buffer.from(`#!${CHANNEL}/${at}-interpreter`), content.subarray(end)]))
  } else writeFileSync(file, programStandIn(at, programPlace({ source }, at)))
  chmodSync(file, 0o555)
}

/** Below a directory of its original name, because programs look for files beside them. */
const programPlace = ({ source }: Pick<ProgramFile, 'source'>, at: number): string =>
  join(PROGRAMS, String(at), basename(dirname(source)), basename(source))

/** Bubblewrap would create them closed to the command's user. */
const openDirectories = (...places: readonly string[]): string[] =>
  places.flatMap(place => ['--perms', '0755', '--dir', place])

/** Directories that programs find relative to their own path: `$ORIGIN/../lib`, a prefix. */
const BESIDE = ['lib', 'lib64', 'libexec', 'share', 'etc', 'include']

function programOptions(file: ProgramFile, at: number): string[] {
  const [place = ''] = file.places
  const above = dirname(dirname(place))
  const beside = BESIDE.filter(name => name !== basename(dirname(place)) && existsSync(join(above, name)))
  const ownProgram = programPlace(file, at)
  return [
    ...openDirectories(dirname(dirname(ownProgram)), dirname(ownProgram)),
    '--ro-bind',
    file.source,
    ownProgram,
    ...beside.flatMap(name => ['--symlink', join(above, name), join(PROGRAMS, String(at), name)]),
  ]
}

/** Nothing inside can create a link there, so a name is trustworthy. */
const isFixedPlace = (path: string, { visible }: ProgramPlaces): boolean =>
  !path.split('/').includes('..') && ['/usr', '/bin', '/sbin', ...visible].some(place => path.startsWith(`${place}/`))
