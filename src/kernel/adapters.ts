/** Replaces the code graph: answers Cypher queries. */
export interface GraphAdapter {
  query(query: string, asked: GraphAsked): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** Options of a query besides its text. */
export interface GraphAsked {
  readonly params: Readonly<Record<string, unknown>>
  /** The commit whose graph is queried; undefined for the workspace as staged. */
  readonly commit: string | undefined
}

/**
 * Replaces the journal on disk. Receives what a call is about to change (`type: 'intent'`) and its result
 * (`type: 'call'`). If it throws, nothing changes or no answer is returned, as with the journal itself.
 */
export interface JournalAdapter {
  append(record: object): void
}
