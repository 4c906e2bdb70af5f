import { autonomous } from '../../../contracts/autonomous/contract.ts'
import { listDirs } from '../../../contracts/autonomous/list-dirs.ts'
import { listFiles } from '../../../contracts/autonomous/list-files.ts'
import { readFile } from '../../../contracts/autonomous/read-file.ts'
import { searchCode } from '../../../contracts/autonomous/search-code.ts'
import { todo } from '../../../contracts/autonomous/todo.ts'
import { validateOutput } from '../../../contracts/autonomous/validate-output.ts'
import type { Engines } from '../../../engines/engines.ts'
import { GITHUB } from '../../../kernel/target.ts'
import type { Connection } from '../../../knowledge/github/types.ts'
import type { AnyTool } from '../../../kernel/contract.ts'
import { ToolError } from '../../../kernel/error.ts'
import { reasonOf } from '../../../kernel/reason-of.ts'
import { readTarget } from '../../../kernel/target.ts'
import { withToolkit } from '../shared-toolkit.ts'
import type { AgentContext, AgentTool, AgentToolResult } from './types.ts'

/** Lists directories of the product's repository. */
export const createListDirsTool = (ctx: AgentContext, productId: string): AgentTool =>
  createTool(listDirs, ctx, productId)
/** Lists files of the product's repository. */
export const createListFilesTool = (ctx: AgentContext, productId: string): AgentTool =>
  createTool(listFiles, ctx, productId)
/** Reads a file of the product's repository. */
export const createReadFileTool = (ctx: AgentContext, productId: string): AgentTool =>
  createTool(readFile, ctx, productId)
/** Searches the code of the product's repository. */
export const createSearchCodeTool = (ctx: AgentContext, productId: string): AgentTool =>
  createTool(searchCode, ctx, productId)
/** Keeps the agent's list of things to do. */
export const createTodoManagerTool = (ctx: AgentContext, productId: string): AgentTool =>
  createTool(todo, ctx, productId)
/** Checks output of an agent against the schema of its type. */
export const createValidateOutputTool = (ctx: AgentContext, productId: string): AgentTool =>
  createTool(validateOutput, ctx, productId)

/** Functions that return a tool's whole result, by its `execute`, which returns only the output. */
const results = new WeakMap<AgentTool['execute'], (input: unknown) => Promise<AgentToolResult>>()

/** Returns the function for a tool's whole result; undefined for a tool created elsewhere. */
export const resultOf = ({ execute }: AgentTool) => results.get(execute)

/** Creates a tool of the contract for one product. Its `execute` runs the whole pipeline and never throws. */
function createTool(tool: AnyTool<Engines>, ctx: AgentContext, productId: string): AgentTool {
  const { name, description } = tool
  const result = async (input: unknown): Promise<AgentToolResult> => {
    try {
      ensureContext(ctx)
      const github = tool.effects.includes('net') ? await ctx.connection(productId) : undefined
      return await withToolkit(ctx.cwd ?? process.cwd(), async (kit, shared) => {
        const session = kit.session({
          contract: autonomous,
          github: github ?? 'none',
          ...(github && { products: { [productId]: github } }),
          // Passing a connection grants its host and nothing else.
          permissions: [...(github ? [hostOf(github)] : []), ...(ctx.permissions ?? [])],
          permissionsOnly: true,
          task: productId,
          shared,
          ...(ctx.outputs && { outputs: ctx.outputs }),
          ...(ctx.network && { network: ctx.network }),
        })
        return (await session.call(name, input)) as AgentToolResult
      })
    } catch (cause) {
      // The context is invalid: a missing directory, a connection that cannot be resolved.
      const error = reasonOf(cause)
      return { name, input, output: { error }, error }
    }
  }
  const execute = async (input: unknown): Promise<unknown> => autonomous.withoutCall?.(await result(input))
  results.set(execute, result)
  return { name, description, execute }
}

/** Programs without types can pass anything. */
function ensureContext(ctx: unknown): void {
  if (typeof Object(ctx).connection === 'function') return
  throw new ToolError('invalid_input', 'The context needs a function connection(productId)', {
    hint: 'It returns the GitHub connection of the product, or undefined if there is none',
  })
}

function hostOf({ baseUrl = GITHUB }: Connection): string {
  const { protocol, origin, port } = readTarget(baseUrl)
  const host = origin.slice(protocol.length + 2)
  return `net:${/:\d+$/.test(host) ? host : `${host}:${port}`}`
}
