import { ToolError } from '../../../../kernel/error.ts'

/** As much of the graph database as is used here. */
export interface Ladybug {
  /** Of the files that it reads and writes. */
  readonly STORAGE_VERSION: number
  readonly Database: new (
    path: string,
    bufferBytes: number,
    compression: boolean,
    readOnly: boolean,
    maxBytes: number,
  ) => { close(): Promise<void> }
  readonly Connection: new (database: object, threads: number) => LadybugConnection
}

export interface LadybugConnection {
  query(statement: string): Promise<LadybugResult | LadybugResult[]>
  prepare(statement: string): Promise<{ isSuccess(): boolean; getErrorMessage(): string }>
  execute(prepared: object, params: Readonly<Record<string, unknown>>): Promise<LadybugResult | LadybugResult[]>
  setQueryTimeout(ms: number): void
  close(): Promise<void>
}

export interface LadybugResult {
  hasNext(): boolean
  getNext(): Promise<Record<string, unknown>>
  getColumnNames(): Promise<string[]>
  close(): void
}

/** A result that is collected after its database was closed reads memory that is no longer there: each is closed first. */
export async function closeResults(running: Promise<LadybugResult | LadybugResult[]>): Promise<void> {
  for (const result of [await running].flat()) result.close()
}

/** The platforms that npm has a package of the database for; one of these is installed along with us. */
const PLATFORMS: ReadonlySet<string> = new Set(['linux-x64'])

/** The package that brings the graph to a platform. Kuzu, from which the database comes, is one package for all others. */
export const graphPackage = (platform: string): string =>
  PLATFORMS.has(platform) ? `@ladybugdb/core-${platform}` : 'kuzu'

/** Loaded with the first graph; its package is optional. Kuzu has the same interface, and does wherever it is installed. */
export async function loadLadybug(): Promise<Ladybug> {
  const platform = `${process.platform}-${process.arch}`
  try {
    return await loaded(`@ladybugdb/core-${platform}/index.js`)
  } catch (cause) {
    return loaded('kuzu').catch((error: unknown) => {
      throw missing(graphPackage(platform), [cause, error])
    })
  }
}

async function loaded(file: string): Promise<Ladybug> {
  const module: { default: Ladybug } = await import(file)
  return module.default
}

function missing(name: string, [cause, other]: readonly [unknown, unknown]): ToolError {
  const failed = [cause, other].find(error => !isAbsent(error))
  const why = failed instanceof Error ? `cannot be loaded here: ${failed.message}` : 'is not installed'
  return new ToolError('unavailable', `The graph database ${name} ${why}`, { hint: `npm install ${name}`, cause })
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
