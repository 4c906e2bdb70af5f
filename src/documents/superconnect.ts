/** `toolwright/superconnect`: the shapes that the "Agent Tool Interface Contract" prints, which has no names for them. */
import type { SuperconnectTools } from '../contracts/load-contract.ts'
import type { indexDocument } from '../contracts/superconnect/index-document.ts'
import type { DataOf, InputOf } from '../kernel/tool-types.ts'

export { superconnect } from '../contracts/superconnect/contract.ts'
export type { SuperconnectTools } from '../contracts/load-contract.ts'
export type { ErrorResponse } from '../contracts/superconnect/failure.ts'
export type { ComponentTotals, RunTotals } from '../contracts/superconnect/totals.ts'

/** What `queryIndex` takes. */
export type QueryIndexParameters = InputOf<SuperconnectTools, 'queryIndex'>
/** What `queryIndex` gives. */
export type QueryIndexResult = DataOf<SuperconnectTools, 'queryIndex'>
/** What `readFile` takes. */
export type ReadFileParameters = InputOf<SuperconnectTools, 'readFile'>
/** What `readFile` gives. */
export type ReadFileResult = DataOf<SuperconnectTools, 'readFile'>
/** What `listFiles` takes. */
export type ListFilesParameters = InputOf<SuperconnectTools, 'listFiles'>
/** What `listFiles` gives. */
export type ListFilesResult = DataOf<SuperconnectTools, 'listFiles'>
/** The repository index of the appendix, as `toolwright index export` prints it. */
export type RepoIndex = ReturnType<typeof indexDocument>
