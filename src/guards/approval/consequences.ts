import { join } from 'node:path/posix'
import type { Change } from '../../kernel/change.ts'
import type { Claim } from '../../kernel/claim.ts'
import { commandParser } from '../policy/command-parser.ts'

const VERBS: Readonly<Record<Change['kind'], string>> = {
  create: 'creates',
  change: 'changes',
  delete: 'deletes',
  move: 'moves',
  mkdir: 'creates the directory',
  mode: 'changes the mode of',
}

type ShownChange = Pick<Change, 'kind' | 'path' | 'from' | 'mode'>

/**
 * Says in words what could happen if a call runs: what it reads, changes, runs and connects to. Of many changed files
 * it names at most `most` of each kind.
 */
export function consequences(claims: readonly Claim[], changes: readonly ShownChange[], most = Infinity): string {
  const of = (action: Claim['action']) => claims.filter(claim => claim.action === action)
  const changedPaths = new Set(changes.flatMap(({ path, from }) => [path, from]))
  const writtenPaths = changes.length > 0 ? [] : of('write').map(({ resource }) => resource)
  const origins = of('net').map(({ resource }) => resource)
  const phrases = [
    listPhrase(
      'reads',
      of('read')
        .map(({ resource }) => resource)
        .filter(path => !changedPaths.has(path) && !writtenPaths.includes(path)),
    ),
    ...(changes.length > 0 ? changePhrases(changes, most) : claimPhrases(of('create'), of('write'))),
    ...running(of('exec'), of('write'), origins),
    listPhrase('reaches', origins),
    listPhrase(
      'uses the secret',
      of('reveal').map(({ resource }) => resource),
    ),
  ]
  return phrases.filter(part => part !== '').join('; ') || 'nothing outside of the call itself'
}

function listPhrase(verb: string, things: readonly string[], most = Infinity): string {
  if (things.length === 0) return ''
  const all = [...new Set(things)].map(inWords)
  const moreCount = all.length - most
  return `${verb} ${all.slice(0, most).join(', ')}${moreCount > 0 ? ` and ${moreCount} more` : ''}`
}

const inWords = (resource: string): string => (resource === '**' ? 'any file of the workspace' : resource)

/** Words the changes of a preview. */
const changePhrases = (changes: readonly ShownChange[], most: number): readonly string[] =>
  Object.entries(VERBS).map(([kind, verb]) =>
    listPhrase(verb, changes.filter(change => change.kind === kind).map(withMode), most),
  )

const USUAL_MODES: Partial<Readonly<Record<Change['kind'], readonly number[]>>> = {
  create: [0o644, 0o755],
  mkdir: [0o755],
}

/** Names a changed path with the permission bits that it gets, if they are the change or not the usual ones. */
function withMode({ kind, path, from, mode }: ShownChange): string {
  const changeName = from === undefined ? path : `${from} to ${path}`
  if (mode === undefined) return changeName
  const bits = mode.toString(8).padStart(3, '0')
  if (kind === 'mode') return `${changeName} to ${bits}`
  return (USUAL_MODES[kind]?.includes(mode) ?? true) ? changeName : `${changeName} (mode ${bits})`
}

function claimPhrases(creates: readonly Claim[], writes: readonly Claim[]): readonly string[] {
  const writtenPaths = writes.filter(({ later }) => later !== true).map(({ resource }) => resource)
  return [
    listPhrase(
      'creates',
      creates.map(({ resource }) => resource),
    ),
    listPhrase('changes', writtenPaths),
    writtenPaths.length < writes.length ? 'changes files that it finds, which are shown before they land' : '',
  ]
}

/** Returns the files that a call is known to affect, and whether there may be others. */
export function affectedFiles(
  claims: readonly Claim[],
  changes: readonly Pick<Change, 'path' | 'from'>[],
): readonly string[] {
  const changedPaths = changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]))
  const fileClaims = claims.filter(({ action, later }) => (action === 'write' || action === 'create') && later !== true)
  const execs = claims.filter(({ action }) => action === 'exec')
  const filePaths = new Set([
    ...(changes.length > 0 ? changedPaths : fileClaims.map(({ resource }) => resource)),
    ...execs.flatMap(filesOfLine),
  ])
  return [
    ...filePaths,
    ...(execs.every(onlyReads) ? [] : [filePaths.size > 0 ? `others that are ${UNKNOWN}` : UNKNOWN]),
  ]
}

const UNKNOWN = 'not known before the command has run'

/** Words the commands. A line of reading commands alone runs on a read-only tree, except in the background. */
function running(execs: readonly Claim[], writes: readonly Claim[], origins: readonly string[]): readonly string[] {
  if (execs.length === 0) return []
  const lines = execs.map(({ resource }) => commandParser().lineEffects(resource))
  const connects = lines.some(line => line.connects)
  // The sandbox opens the network only to hosts that are claimed.
  const hosts = lines.flatMap(line => line.hosts).filter(host => !origins.some(origin => origin.endsWith(`/${host}`)))
  const reading = connects ? 'runs a command that changes no file' : 'runs a command that only reads'
  return [
    listPhrase('writes', execs.flatMap(filesOfLine)),
    writes.every(({ staged }) => staged) && execs.every(onlyReads)
      ? reading
      : 'runs code, which may change files of the workspace',
    listPhrase('tries to reach', hosts.length + origins.length > 0 || !connects ? hosts : ['the network']),
  ]
}

const onlyReads = ({ resource, input }: Claim): boolean => input === undefined && commandParser().isReading(resource)

const filesOfLine = ({ resource, cwd = '.' }: Claim): readonly string[] =>
  commandParser()
    .lineEffects(resource)
    .files.map(file => (file.startsWith('/') ? file : join(cwd, file)))
