import { ToolError } from '../../../../kernel/error.ts'

/** As much of the graph database as is used here. */
export interface Ladybug {
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

/** Loaded with the first graph; its package is optional, and each platform has one of its own. */
export async function loadLadybug(): Promise<Ladybug> {
  const name = `@ladybugdb/core-${process.platform}-${process.arch}`
  try {
    const loaded: { default: Ladybug } = await import(`${name}/index.js`)
    return loaded.default
  } catch (cause) {
    throw new ToolError('unavailable', `The graph database ${name} is not installed`, {
      hint: `npm install ${name}`,
      cause,
    })
  }
}
