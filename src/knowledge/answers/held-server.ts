import type { StagedTexts } from '../code/servers/staged-texts.ts'
import type { ServerClient, ServersParts } from '../code/servers/types.ts'

/** Start options of servers, chosen by the caller. */
export type ServerOptions = Pick<ServersParts, 'off' | 'limits' | 'configured'>

/** Requests a server and holds it for this caller until the request is cancelled. */
export interface HoldQuestion {
  readonly path: string
  readonly staged: StagedTexts
  readonly servers: ServerOptions
  readonly timeoutMs: number
  /** How the caller can allow more time. */
  readonly moreTime?: string | undefined
  /** What the time is for. */
  readonly purpose?: string | undefined
  /** Set by a command, which ends with its answer. It may be repeated, and the server should be further along then. */
  readonly isBrief?: boolean
}

/** What a caller learns while it holds a server; `server` is null if there is none for the file. */
export type HoldEvent = { readonly progress: string } | { readonly server: HeldServer | null }

/** One request to the held server. */
export interface PutQuestion {
  readonly id: number
  readonly method: ServerMethod
  readonly args: readonly unknown[]
}

/** Details of a held server. */
export interface HeldServer {
  /** Names the server in later requests. */
  readonly id: number
  readonly name: string
  readonly missesAliases: boolean
  readonly unknown: number
  readonly isReady: boolean
  readonly can: readonly Ability[]
}

type Ability = Parameters<ServerClient['can']>[0]

/** Requests to a server through the process. */
export type ServerMethod = {
  [Name in keyof ServerClient]: ServerClient[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
}[keyof ServerClient]

const METHODS: Readonly<Record<ServerMethod, true>> = {
  outline: true,
  references: true,
  definition: true,
  typeDefinition: true,
  implementations: true,
  hover: true,
  diagnostics: true,
  rename: true,
  movedFile: true,
}

const ABILITIES: Readonly<Record<Ability, true>> = {
  implementation: true,
  diagnostic: true,
  rename: true,
}

export const isServerMethod = (name: string): name is ServerMethod => Object.hasOwn(METHODS, name)

export const SERVER_METHODS: readonly ServerMethod[] = Object.keys(METHODS).filter(isServerMethod)

const isAbility = (name: string): name is Ability => Object.hasOwn(ABILITIES, name)

export const heldServer = (id: number, { name, missesAliases, unknown, isReady, can }: ServerClient): HeldServer => ({
  id,
  name,
  missesAliases,
  unknown,
  isReady,
  can: Object.keys(ABILITIES).filter(isAbility).filter(can),
})
