import type { DocumentationSettings } from './documentation-sources.ts'
import { ToolError } from './error.ts'
import { quoteArgv } from './shell-quote.ts'
import { readTarget } from './target.ts'

/** What a tool may do to the machine. A tool's `effects` are an upper bound. */
export type Effect = 'read' | 'create' | 'write' | 'exec' | 'net'

/** Only the runtime claims `reveal`, once for each secret that a call's input names. */
export type Action = Effect | 'reveal'

/**
 * What one call wants to touch, stated before it does; once decided, it is also the grant. The resource is a path for
 * read, create and write, a command line for exec, an origin for net, a key for reveal.
 */
export interface Claim {
  readonly action: Action
  readonly resource: string
  /** Means the name itself, not the target of a link of that name (delete, move). */
  readonly link?: true
  /** The directory that a command starts in, if it is not the workspace itself. */
  readonly cwd?: string
  /** The command reads input that the line does not show: given at its start, or added while it runs. */
  readonly input?: 'given' | 'added'
  /** Open to every command without a request; meaningless if there is no network. */
  readonly standing?: true
  /**
   * Reads a repository, or reaches the server of a memory, that the session is connected to. The user's own
   * configuration of it grants this.
   */
  readonly repository?: true
  /** The memory of past fixes. It lies outside the workspace; rules name it `memory:fixes`, like a path. */
  readonly memory?: true
  /** The paths are known only when the work is done. Each is judged then, before anything lands. */
  readonly later?: true
  /** The path to write is not there, so that landing creates it; judged as both. */
  readonly creates?: true
  /** Staged in the session's transaction. The decision is whether it lands, or runs before it does. */
  readonly staged?: true
  /** Other names of the place: as it was asked for, the links on the way, links that lead there. */
  readonly names?: readonly string[]
  /** The setting of git that names the place. */
  readonly setting?: string
  /** Restores what one of our own commits replaced in the repository. Grants no tool to write there. */
  readonly restores?: true
  /** Why a person is asked every time, whatever the rules allow. */
  readonly asks?: string
  /** For a `ref:ID`: the call that stored the text. */
  readonly origin?: KeptOrigin | 'unknown'
}

/** The call that stored a text: who may read the text follows from it. */
export interface KeptOrigin {
  readonly claims: readonly Claim[]
  /** The text may hold output of commands that no claim names. */
  readonly commands?: true
  readonly limits: ReadLimits
  /** The session that got the text as an answer, and a print of each level of its policy then. */
  readonly own?: { readonly session: string; readonly policy: readonly string[] }
}

/** What a policy kept a call from reading in the places that it claimed as a whole, or ran commands in. */
export interface ReadLimits {
  /** Patterns of the paths that rules hid. */
  readonly rules: readonly string[]
  /** For each policy that denies reading by default, the patterns that open places. */
  readonly closed: readonly (readonly string[])[]
  /** For each policy that keeps files with secrets back, the patterns that open some. */
  readonly secrets: readonly (readonly string[])[]
}

/** Claims that a call reads these paths. */
export const reads = (...paths: readonly string[]): Claim[] => paths.map(path => claimOn('read', path))
/** Claims that a call creates these paths, which must not exist. */
export const creates = (...paths: readonly string[]): Claim[] => paths.map(path => claimOn('create', path))
/** Claims that a call changes these paths, or creates them. */
export const writes = (...paths: readonly string[]): Claim[] => paths.map(path => claimOn('write', path))

/** Claims reading everything below a directory that a caller names. */
export const readsBelow = (directory: string): Claim[] => {
  const [claim] = reads(directory)
  return claim ? [{ ...claim, resource: directory === '.' ? '**' : `${directory.replace(/\/+$/, '')}/**` }] : []
}

/**
 * Claims writing files that the call itself finds. Each change is judged by its path, with the real diff, before it
 * lands.
 */
export const writesFound = (): Claim[] => [{ action: 'write', resource: '**', later: true }]

/** Claims the origins of these URLs; throws `invalid_input` unless each is an http or https URL. */
export const nets = (...urls: readonly string[]): Claim[] =>
  urls.map(url => ({ action: 'net', resource: readTarget(url).origin }))

/** Claims reaching a server that the session is connected to at this origin. */
export const readsRepository = (origin: string): Claim[] => nets(origin).map(claim => ({ ...claim, repository: true }))

/** Claims reading the memory of past fixes, and the servers that the user's own configuration names for it. */
export const readsMemory = (facts: Facts): Claim[] => memoryClaims('read', facts)

/** Claims recording in the memory of past fixes. */
export const writesMemory = (facts: Facts): Claim[] => memoryClaims('write', facts)

const memoryClaims = (action: 'read' | 'write', { memoryServers }: Facts): Claim[] => [
  { action, resource: 'memory:fixes', memory: true },
  ...(memoryServers?.() ?? []).flatMap(readsRepository),
]

/**
 * Claims a shell line, or a program with its arguments, as one command. `cwd` is its directory if not the workspace,
 * `input` says that the tool passes it standard input.
 */
export const execs = (command: string | readonly string[], cwd?: string, input?: Claim['input']): Claim[] => [
  {
    action: 'exec',
    resource: typeof command === 'string' ? command : quoteArgv(command),
    ...(cwd !== undefined && { cwd }),
    ...(input !== undefined && { input }),
  },
]

/** Claims more input for a background command; empty if there is no such command. */
export const inputs = ({ backgroundLine }: Facts, handle: string): Claim[] => {
  const line = backgroundLine?.(handle)
  return line === undefined ? [] : execs(line, undefined, 'added')
}

/** Claims the hosts that a command wants to reach; the default scheme is https. */
export const commandHosts = (hosts: readonly string[]): Claim[] =>
  nets(...hosts.map(host => (/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`)))

/** Claims the hosts that the user has opened to commands by name, for documents whose calls cannot name them. */
export const standingHosts = ({ namedOrigins }: Facts): Claim[] =>
  nets(...(namedOrigins?.() ?? [])).map(claim => ({ ...claim, standing: true }))

/** Claims reading the names themselves, not the targets of links of these names. */
export const linkReads = (...paths: readonly string[]): Claim[] =>
  reads(...paths).map(claim => ({ ...claim, link: true }))
export const linkWrites = (...paths: readonly string[]): Claim[] =>
  writes(...paths).map(claim => ({ ...claim, link: true }))
/** Claims restoring what commits of ours left at these paths; `.git` stands for the repository as a whole. */
export const restores = (...paths: readonly string[]): Claim[] =>
  linkWrites(...paths).map(claim => (claim.resource === '.git' ? { ...claim, restores: true } : claim))
export const linkCreates = (...paths: readonly string[]): Claim[] =>
  creates(...paths).map(claim => ({ ...claim, link: true }))

/** Claims one file. `**` stands for everything below a directory, so a file of that name cannot be claimed. */
function claimOn(action: Effect, resource: string): Claim {
  if (/(^|\/)\*\*\/*$/.test(resource))
    throw new ToolError('invalid_input', `'${resource}' does not name one file`, {
      hint: 'Name a file; ** is not expanded here',
    })
  return { action, resource }
}

/** Facts besides the input that a call's claims may depend on. */
export interface Facts {
  /** Paths that undoing this commit (default: the newest) would touch. */
  undoPaths(id?: string): readonly string[]
  /** The newest git commit since then that contains one of these paths, in one line. */
  committedSince?(id?: string): string | undefined
  /** The origin of a product's repository, or of the default one if none is named; undefined without a connection. */
  repositoryOrigin?(product?: string): string | undefined
  /** The user's own configuration of documentation search, from which the origins of its sources follow. */
  documentation?(): DocumentationSettings
  /** The origins of the servers that hold the memory of past fixes or embed its texts. */
  memoryServers?(): readonly string[]
  /** The line of a background command of this session's workspace. */
  backgroundLine?(handle: string): string | undefined
  /** The changes in the session's transaction, as claims; undefined outside a transaction. */
  stagedClaims?(): readonly Claim[] | undefined
  /** Origins that the user's own rules allow by name. */
  namedOrigins?(): readonly string[]
}
