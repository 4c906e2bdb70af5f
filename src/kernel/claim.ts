import { ToolError } from './error.ts'
import { quoteArgv } from './shell-quote.ts'
import { readTarget } from './target.ts'

/** What a tool may do to the machine; a tool's `effects` are an upper bound in these words. */
export type Effect = 'read' | 'create' | 'write' | 'exec' | 'net'

/** `reveal` is claimed by the runtime alone, once for each secret that a call's input names. */
export type Action = Effect | 'reveal'

/**
 * What one call wants to touch, stated before it touches it; once decided, it is also the grant.
 * The resource is a path for read, create and write, a command line for exec, an origin for net, a key for reveal.
 */
export interface Claim {
  readonly action: Action
  readonly resource: string
  /** The name itself is meant, not what a link of that name points to (delete, move). */
  readonly link?: true
  /** The directory that a command starts in, where it is not the workspace itself. */
  readonly cwd?: string
  /** The command is given input that the line does not show: as it starts, or while it runs already. */
  readonly input?: 'given' | 'added'
  /** Nobody asked for it: it stands open for every command, and where there is no network it means nothing. */
  readonly standing?: true
  /** It reads a repository that the session is connected to: the user's own configuration of one grants this. */
  readonly repository?: true
  /** Which paths these are is known when the work is done: each is judged then, before anything lands. */
  readonly later?: true
  /** It is staged in the session's transaction: what is decided is whether it lands, or is run before it does. */
  readonly staged?: true
  /** Why a person is asked every time, whatever the rules allow. */
  readonly asks?: string
}

/** Claims that a call reads these paths. */
export const reads = (...paths: readonly string[]): Claim[] => paths.map(path => claimOn('read', path))
/** Claims that a call creates these paths, which must not exist. */
export const creates = (...paths: readonly string[]): Claim[] => paths.map(path => claimOn('create', path))
/** Claims that a call changes these paths, or creates them. */
export const writes = (...paths: readonly string[]): Claim[] => paths.map(path => claimOn('write', path))

/** Everything below a directory that a caller names. */
export const readsBelow = (directory: string): Claim[] => {
  const [claim] = reads(directory)
  return claim ? [{ ...claim, resource: directory === '.' ? '**' : `${directory.replace(/\/+$/, '')}/**` }] : []
}

/** Files that the work itself finds: what it changes is judged path by path, with the real diff, before it lands. */
export const writesFound = (): Claim[] => [{ action: 'write', resource: '**', later: true }]

/** The origins of these URLs; throws `invalid_input` for what is no http or https URL. */
export const nets = (...urls: readonly string[]): Claim[] =>
  urls.map(url => ({ action: 'net', resource: readTarget(url).origin }))

/** The origin at which a connected repository is read. */
export const readsRepository = (origin: string): Claim[] => nets(origin).map(claim => ({ ...claim, repository: true }))

/**
 * A shell line, or a program with its arguments, as one command; `cwd` where it starts in another directory, `input` where
 * the tool hands it something to read.
 */
export const execs = (command: string | readonly string[], cwd?: string, input?: Claim['input']): Claim[] => [
  {
    action: 'exec',
    resource: typeof command === 'string' ? command : quoteArgv(command),
    ...(cwd !== undefined && { cwd }),
    ...(input !== undefined && { input }),
  },
]

/** More input for a background command; nothing if there is no such command. */
export const inputs = ({ backgroundLine }: Facts, handle: string): Claim[] => {
  const line = backgroundLine?.(handle)
  return line === undefined ? [] : execs(line, undefined, 'added')
}

/** The hosts that a command wants to reach; without a scheme https is meant. */
export const commandHosts = (hosts: readonly string[]): Claim[] =>
  nets(...hosts.map(host => (/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`)))

/** The hosts that the user has opened to commands by name, for documents whose calls cannot say which they need. */
export const standingHosts = ({ namedOrigins }: Facts): Claim[] =>
  nets(...(namedOrigins?.() ?? [])).map(claim => ({ ...claim, standing: true }))

/** The names themselves, not what links of these names point to. */
export const linkReads = (...paths: readonly string[]): Claim[] =>
  reads(...paths).map(claim => ({ ...claim, link: true }))
export const linkWrites = (...paths: readonly string[]): Claim[] =>
  writes(...paths).map(claim => ({ ...claim, link: true }))
export const linkCreates = (...paths: readonly string[]): Claim[] =>
  creates(...paths).map(claim => ({ ...claim, link: true }))

/** A claim on one file. `**` stands for everything below a directory, so that a file of that name cannot be claimed. */
function claimOn(action: Effect, resource: string): Claim {
  if (/(^|\/)\*\*\/*$/.test(resource))
    throw new ToolError('invalid_input', `'${resource}' does not name one file`, {
      hint: 'Name a file; ** is not expanded here',
    })
  return { action, resource }
}

/** What a call's claims may depend on besides its input. */
export interface Facts {
  /** Paths that undoing this commit (default: the newest) would touch. */
  undoPaths(id?: string): readonly string[]
  /** The newest commit in git since then that contains one of these paths, in one line. */
  committedSince?(id?: string): string | undefined
  /** Where the repository of a product is read, or the one that is read where none is named; undefined without a connection. */
  repositoryOrigin?(product?: string): string | undefined
  /** The line of a background command of this session's workspace. */
  backgroundLine?(handle: string): string | undefined
  /** What the session's transaction holds, as claims; undefined outside of one. */
  stagedClaims?(): readonly Claim[] | undefined
  /** Origins that the user's own rules allow by name. */
  namedOrigins?(): readonly string[]
}
