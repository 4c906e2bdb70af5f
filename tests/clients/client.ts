import type { ClientSetup } from '../../src/surfaces/mcp/client-setup.ts'
import type { Task } from './tasks.ts'
import type { Terminal } from './terminal.ts'
import type { World } from './world.ts'

/** One way to connect a client, and what is then done with it. */
export interface Connection {
  readonly title: string
  /** What stands on the page before the setup. */
  readonly about: string
  readonly setup: readonly ClientSetup[]
  /** What a person types to start the client. */
  readonly command: string
  /** The client asks before it calls a tool. */
  readonly asksItself?: true
  /** How long the person thinks before each answer. */
  readonly thinkMs?: number
  readonly tasks: readonly Task[]
}

/** A client, and how a person finds their way in it. */
export interface Client {
  readonly name: string
  /** The page about it below docs/clients, and the name of its program. */
  readonly page: string
  readonly program: string
  readonly package: string
  readonly version: string
  /** What is known of it, for the page. */
  readonly findings: readonly string[]
  /** What its program starts, with the model at this address. */
  argv(packages: string, model: string): readonly [string, ...string[]]
  readonly env: (model: string) => Readonly<Record<string, string>>
  /** Puts into the home what a person has settled before, so that no login is asked for. */
  settle(world: World): void
  connections(setups: readonly ClientSetup[]): readonly Connection[]
  /** Answers what a client asks when it starts. */
  enter(terminal: Terminal): Promise<void>
  /** The client's own question before a call is on the screen. */
  readonly ownQuestion: RegExp
  /** A question of ours is on the screen, and nothing of it is answered. */
  readonly question: RegExp
  /** How a person says yes and no, for the page and for the terminal. */
  readonly keys: Readonly<Record<'yes' | 'no', readonly string[]>>
  /** A line of the screen without what differs from run to run; undefined if nothing else is in it. */
  tidy(line: string): string | undefined
  /** Where the part of the screen begins in which a person types next. */
  readonly idle: RegExp
}
