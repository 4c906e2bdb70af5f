import type { HiddenFiles } from '../code/servers/hidden-files.ts'
import type { ServerClient, ServersParts } from '../code/servers/types.ts'

/** How servers are started, which is the caller's to say. */
export type ServerOptions = Pick<ServersParts, 'off' | 'limits' | 'configured'>

/** Asks for a server and keeps it for this caller until the question is taken back. */
export interface HoldQuestion {
  /** By which the questions to the server name it; given by the caller. */
  readonly id: number
  readonly path: string
  readonly staged: {
    readonly key: string
    readonly texts: readonly (readonly [path: string, text: string | null])[]
    readonly hidden: HiddenFiles
  }
  readonly wishes: ServerOptions
  readonly timeoutMs: number
  /** How whoever asks can give it more time. */
  readonly moreTime?: string
  /** Of a command, which ends with its answer: it may be given again, and wants the server further then. */
  readonly isBrief?: true
}

/** One question to the server that is held. */
export interface PutQuestion {
  readonly id: number
  readonly method: ServerMethod
  readonly args: readonly unknown[]
}

/** What is known of a server that is held; null if this process has none for the file. */
export interface HeldServer {
  readonly name: string
  readonly missesAliases: boolean
  readonly unknown: number
  readonly can: readonly Ability[]
}

type Ability = Parameters<ServerClient['can']>[0]

/** What a server is asked by way of the process. */
export type ServerMethod = {
  [Name in keyof ServerClient]: ServerClient[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
}[keyof ServerClient]

const METHODS: Readonly<Record<ServerMethod, true>> = {
  outline: true,
  references: true,
  definition: true,
  typeDefinition: true,
  implementations: true,
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

export const heldServer = ({ name, missesAliases, unknown, can }: ServerClient): HeldServer => ({
  name,
  missesAliases,
  unknown,
  can: Object.keys(ABILITIES).filter(isAbility).filter(can),
})
