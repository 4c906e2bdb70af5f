import { published } from '../../../contracts/published.ts'
import { graphQuery } from '../../../contracts/sage/graph-query.ts'
import { edit } from '../../../contracts/sage/edit.ts'
import { read } from '../../../contracts/sage/read.ts'
import { write } from '../../../contracts/sage/write.ts'
import { sage } from '../../../contracts/sage/contract.ts'
import type { Engines } from '../../../engines/engines.ts'
import type { AnyTool, Contract } from '../../../kernel/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { callIn, timeLimitOf } from './call-in.ts'
import { withEffects } from './effects.ts'
import type {
  EditToolInput,
  EditToolOutput,
  GraphQueryToolInput,
  GraphQueryToolOutput,
  ReadToolInput,
  ReadToolOutput,
  Tool,
  WriteToolInput,
  WriteToolOutput,
} from './types.ts'
import { validateInput } from './tool-failure.ts'

/** Reads a file. */
export const createReadTool = (): Tool<ReadToolInput, ReadToolOutput> => publishedTool(read)
/** Writes a whole file. */
export const createWriteTool = (): Tool<WriteToolInput, WriteToolOutput> => publishedTool(write)
/** Applies a unified diff to a file. */
export const createEditTool = (): Tool<EditToolInput, EditToolOutput> => publishedTool(edit)

/** Publishes a tool of the contract in the document's form. Its `execute` runs the whole pipeline. */
function publishedTool<I, O>(tool: AnyTool<Engines>): Tool<I, O> {
  return withEffects(tool.effects, {
    name: tool.name,
    description: tool.description,
    version: tool.version,
    schema: inputSchema(tool),
    validate: input => validateInput(tool, input),
    execute: (input, ctx) => callIn<O>(ctx, withTimeLimit(tool, timeLimitOf(ctx)), { name: tool.name, input }),
  })
}

/** A tool, not a factory, as in the document. */
export const GraphQuery: Tool<GraphQueryToolInput, GraphQueryToolOutput> = publishedTool(graphQuery)

/** Returns the contract with this time limit for the tool. */
const withTimeLimit = (tool: AnyTool<Engines>, timeoutMs: number | undefined): Contract<Engines> =>
  timeoutMs === undefined ? sage : published({ ...sage, tools: [{ ...tool, timeoutMs }] })
