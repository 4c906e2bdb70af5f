import { ToolError } from '../../../kernel/error.ts'
import { createRegistry } from '../../../runtime/registry.ts'
import { effectsOf, isOurs } from './effects.ts'
import { handWritten } from './hand-written.ts'
import { asFailure, ToolFailure } from './tool-failure.ts'
import type { Tool, ToolSchema } from './types.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
type AnyTool = Tool<any, any>

/**
 * The document's registry. A tool created elsewhere is returned in our pipeline: validated, with secrets filled in,
 * redacted and journaled. A read-only registry neither lists nor returns a tool that could change anything.
 */
export interface ToolRegistry {
  /** Throws `EVALIDATION` for a name that is already registered, and for anything but a tool. */
  register(tool: AnyTool): void
  /** Throws `EVALIDATION` for an unknown name, `EPERMISSION` for a tool that a read-only registry closes. */
  get(name: string): AnyTool
  getToolSchemas(): ToolSchema[]
  has(name: string): boolean
  remove(name: string): void
  clear(): void
}

class Registry implements ToolRegistry {
  readonly #tools

  constructor(options: { readonly readOnly?: boolean } = {}) {
    this.#tools = createRegistry<{ name: string; effects: ReturnType<typeof effectsOf>; tool: AnyTool }>([], options)
  }

  register(tool: AnyTool): void {
    ensureTool(tool)
    const entry = { name: tool.name, effects: effectsOf(tool), tool: isOurs(tool) ? tool : handWritten(tool) }
    asFailure(() => this.#tools.register(entry))
  }

  get(name: string): AnyTool {
    return asFailure(() => this.#tools.get(name)).tool
  }

  getToolSchemas(): ToolSchema[] {
    return this.#tools.list().map(({ tool: { name, description, version, schema } }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(version !== undefined && { version }),
      parameters: schema,
    }))
  }

  has(name: string): boolean {
    return this.#tools.has(name)
  }

  remove(name: string): void {
    asFailure(() => this.#tools.remove(name))
  }

  clear(): void {
    this.#tools.clear()
  }
}

/** Programs without types can pass anything. */
function ensureTool(tool: unknown): void {
  const { name, schema, validate, execute }: Partial<AnyTool> = Object(tool)
  const isTool =
    typeof name === 'string' &&
    typeof schema === 'object' &&
    [validate, execute].every(each => typeof each === 'function')
  if (isTool) return
  throw new ToolFailure(
    new ToolError('invalid_input', 'This is not a tool', {
      hint: 'A tool has a name, a schema, and the functions validate and execute; defineTool makes one',
    }),
  )
}

/**
 * Opens a registry. A read-only one neither lists nor returns a tool that could change anything. Not typed as a class:
 * its private members would make other registries of the document's form incompatible.
 */
export const ToolRegistry: new (options?: { readonly readOnly?: boolean }) => ToolRegistry = Registry
