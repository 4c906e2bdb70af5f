import { ToolError } from '../../../../kernel/error.ts'

/** The part of the graph database's interface that we use. */
export interface Ladybug {
  /** Version of its file format. */
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

/** Closes each result: one that is collected after its database was closed reads freed memory. */
export async function closeResults(running: Promise<LadybugResult | LadybugResult[]>): Promise<void> {
  for (const result of [await running].flat()) result.close()
}

/** Platforms with an npm package of the database; the matching one is installed with us. */
const PLATFORMS: ReadonlySet<string> = new Set(['linux-x64'])

/** The package that provides the graph on a platform. On all others it is Kuzu, from which the database was forked. */
export const graphPackage = (platform: string): string =>
  PLATFORMS.has(platform) ? `@ladybugdb/core-${platform}` : 'kuzu'

/**
 * Loads the database with the first graph; its package is optional. Kuzu has the same interface and serves as a
 * fallback.
 */
export async function loadLadybug(): Promise<Ladybug> {
  const platform = `${process.platform}-${process.arch}`
  try {
    return await importLadybug(`@ladybugdb/core-${platform}/index.js`)
  } catch (cause) {
    return importLadybug('kuzu').catch((error: unknown) => {
      throw missing(graphPackage(platform), [cause, error])
    })
  }
}

async function importLadybug(file: string): Promise<Ladybug> {
  const module: { default: Ladybug } = await import(file)
  return module.default
}

function missing(name: string, [cause, other]: readonly [unknown, unknown]): ToolError {
  const loadFailure = [cause, other].find(error => !isAbsent(error))
  const why = loadFailure instanceof Error ? `cannot be loaded here: ${loadFailure.message}` : 'is not installed'
  return new ToolError('unavailable', `The graph database ${name} ${why}`, { hint: `npm install ${name}`, cause })
}

/** The command loads packages with `require`, whose failure has another code. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
