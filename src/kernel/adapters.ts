/** Stands in for the code graph: answers Cypher queries. */
export interface GraphAdapter {
  query(query: string, asked: GraphAsked): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** What a query is asked with besides its text. */
export interface GraphAsked {
  readonly params: Readonly<Record<string, unknown>>
  /** The commit whose graph is asked; undefined for the workspace as staged. */
  readonly commit: string | undefined
}

/**
 * Stands in for the journal on disk: gets what a call is about to change (`type: 'intent'`) and what came of it
 * (`type: 'call'`). Where it throws, nothing changes or no answer is given, as with the journal itself.
 */
export interface JournalAdapter {
  append(record: object): void
}
