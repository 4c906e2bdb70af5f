import { createRegistry } from '../../../runtime/registry.ts'
import { effectsOf } from './effects.ts'
import type { Tool, ToolSchema } from './types.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
type AnyTool = Tool<any, any>

/** The document's registry. Opened read-only, it neither lists nor hands out a tool that could change anything. */
export class ToolRegistry {
  readonly #tools

  constructor(options: { readonly readOnly?: boolean } = {}) {
    this.#tools = createRegistry<{ name: string; effects: ReturnType<typeof effectsOf>; tool: AnyTool }>([], options)
  }

  register(tool: AnyTool): void {
    this.#tools.register({ name: tool.name, effects: effectsOf(tool), tool })
  }

  get(name: string): AnyTool {
    return this.#tools.get(name).tool
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
    this.#tools.remove(name)
  }

  clear(): void {
    this.#tools.clear()
  }
}
