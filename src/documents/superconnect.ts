/** `toolwright/superconnect`: the functions of the "Agent Tool Interface Contract", and the shapes that it prints without names. */
import type { SuperconnectTools } from '../contracts/load-contract.ts'
import type { indexDocument } from '../contracts/superconnect/index-document.ts'
import type { DataOf, InputOf } from '../kernel/tool-types.ts'

export { superconnect } from '../contracts/superconnect/contract.ts'
export type { SuperconnectTools } from '../contracts/load-contract.ts'
export type { ErrorResponse } from '../contracts/superconnect/failure.ts'
export { listFiles, queryIndex, readFile, type ComponentContext } from '../surfaces/library/superconnect/tools.ts'
export type { ComponentTotals, RunTotals } from '../contracts/superconnect/totals.ts'

/** Input of `queryIndex`. */
export type QueryIndexParameters = InputOf<SuperconnectTools, 'queryIndex'>
/** Result of `queryIndex`. */
export type QueryIndexResult = DataOf<SuperconnectTools, 'queryIndex'>
/** Input of `readFile`. */
export type ReadFileParameters = InputOf<SuperconnectTools, 'readFile'>
/** Result of `readFile`. */
export type ReadFileResult = DataOf<SuperconnectTools, 'readFile'>
/** Input of `listFiles`. */
export type ListFilesParameters = InputOf<SuperconnectTools, 'listFiles'>
/** Result of `listFiles`. */
export type ListFilesResult = DataOf<SuperconnectTools, 'listFiles'>
/** The repository index of the appendix, as `toolwright index export` prints it. */
export type RepoIndex = ReturnType<typeof indexDocument>
