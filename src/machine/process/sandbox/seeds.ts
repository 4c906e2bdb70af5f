import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIXED_TIME } from '../../../kernel/time.ts'
import { OWN } from './places.ts'

type Variables = Readonly<Record<string, string>>

/** Directory of the seed files inside the sandbox. */
export const SEEDS = join(OWN, 'seeds')

/** Assigned, `EPOCHSECONDS` and `EPOCHREALTIME` stay what they are unless they lose their meaning first. */
const BASH = `RANDOM=0
unset EPOCHSECONDS EPOCHREALTIME
EPOCHSECONDS=${FIXED_TIME / 1000} EPOCHREALTIME=${FIXED_TIME / 1000}.000000
`

const NODE = `'use strict'
let state = 0
Math.random = () => {
  state = (state + 0x6d2b79f5) | 0
  let bits = Math.imul(state ^ (state >>> 15), 1 | state)
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
}
Date.now = () => ${FIXED_TIME}
globalThis.Date = new Proxy(Date, {
  apply: date => new date(${FIXED_TIME}).toString(),
  construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [${FIXED_TIME}] : given, made),
})
Date.prototype.constructor = Date
`

/**
 * Seeds the standard module when it is imported: a project may have a module of the same name. Python sleeps until a
 * monotonic time, which libfaketime 0.9.10 takes for a time of the clock that stands, and refuses.
 */
const PYTHON = `import sys

if sys.version_info[0] > 2:
    import os
    from importlib.machinery import PathFinder

    here = os.path.dirname(__file__)
    sys.path[:] = [place for place in sys.path if place != here]

    class Seeding:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name != 'random':
                return None
            spec = PathFinder.find_spec(name, path)
            if spec and spec.origin and os.path.dirname(spec.origin) == os.path.dirname(os.__file__):
                run = spec.loader.exec_module

                def run_and_seed(module):
                    run(module)
                    module.seed(0)

                spec.loader.exec_module = run_and_seed
            return spec

    if 'random' in sys.modules:
        sys.modules['random'].seed(0)
    else:
        sys.meta_path.insert(0, Seeding)

    if 'libfaketime' in os.environ.get('LD_PRELOAD', ''):
        import time

        def sleep(seconds):
            if seconds < 0:
                raise ValueError('sleep length must be non-negative')
            import select
            select.select([], [], [], seconds)

        time.sleep = sleep

    following = PathFinder.find_spec('sitecustomize')
    if following:
        from importlib.util import module_from_spec
        following.loader.exec_module(module_from_spec(following))
`

const FILES = { bash: BASH, 'node.cjs': NODE, 'sitecustomize.py': PYTHON }

/** Files that interpreters run before their program in deterministic mode. Any user may read them. */
export function writeSeeds(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'toolwright-seeds-'))
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(path, name), content, { mode: 0o444 })
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Adds the variables that lead programs to their seeds. */
export const withSeeds = (env: Variables, directory: string): Variables => ({
  BASH_ENV: join(directory, 'bash'),
  ...env,
  NODE_OPTIONS: [`--require ${JSON.stringify(join(directory, 'node.cjs'))}`, env['NODE_OPTIONS']].join(' ').trim(),
  PYTHONPATH: [directory, env['PYTHONPATH'] ?? []].flat().join(':'),
})

/**
 * Returns the variables that fix the clock of programs, if libfaketime is installed. Only for a sandbox, with a /dev/shm
 * of its own: the library leaves files there for each process that is killed.
 */
export function clockVariables(): Variables {
  const library = clockLibrary()
  return library === undefined ? {} : { LD_PRELOAD: library, ...CLOCK }
}

/**
 * File times and durations stay real: a build compares the former, and who waits needs the latter. The programs left
 * out warn of files from the future.
 */
const CLOCK = {
  FAKETIME: String(FIXED_TIME / 1000),
  FAKETIME_FMT: '%s',
  FAKETIME_DONT_RESET: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  FAKETIME_SKIP_CMDS: 'make,gmake,ninja,tar',
  NO_FAKE_STAT: '1',
}

const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

/** Finds libfaketime, as Debian, Fedora, Arch and Alpine install it. */
export function clockLibrary(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const directories = [`/usr/lib/${MACHINES[process.arch] ?? process.arch}`, '/usr/lib64', '/usr/lib']
  return directories
    .flatMap(directory => ['libfaketimeMT.so.1', 'libfaketime.so.1'].map(name => join(directory, 'faketime', name)))
    .find(file => existsSync(file))
}
