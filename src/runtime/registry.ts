import type { Effect } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import { toolRisk } from '../kernel/tool.ts'

/** What a registry needs to know of its entries. */
export interface Listed {
  readonly name: string
  readonly effects: readonly Effect[]
  readonly onlyReads?: true
}

/** The tools that can be called by name, in order of registration. */
export interface Registry<T extends Listed> {
  readonly readOnly: boolean
  register(tool: T): void
  get(name: string): T
  has(name: string): boolean
  list(): readonly T[]
  remove(name: string): void
  clear(): void
}

/** Creates a registry. A read-only one neither lists nor runs a tool that could change anything. */
export function createRegistry<T extends Listed>(
  tools: readonly T[] = [],
  options: { readonly readOnly?: boolean } = {},
): Registry<T> {
  const readOnly = options.readOnly ?? false
  const byName = new Map<string, T>()
  const isOpen = (tool: T) => !readOnly || toolRisk(tool) === 'read_only'

  const registry: Registry<T> = {
    readOnly,
    register(tool) {
      if (byName.has(tool.name))
        throw new ToolError('exists', `A tool named '${tool.name}' is already registered`, {
          hint: 'Remove it first, or register the new one under another name',
        })
      byName.set(tool.name, tool)
    },
    get(name) {
      const tool = byName.get(name)
      if (!tool)
        throw new ToolError('unknown_tool', `No tool named '${name}'`, { hint: `Tools: ${names().join(', ')}` })
      if (!isOpen(tool))
        throw new ToolError('denied', `'${name}' can change things, and this registry is open read-only`, {
          hint: 'To use it, open the toolkit without readOnly, or leave out --read-only on the command line',
        })
      return tool
    },
    has(name) {
      const tool = byName.get(name)
      return tool !== undefined && isOpen(tool)
    },
    list: () => [...byName.values()].filter(isOpen),
    remove(name) {
      if (!byName.delete(name))
        throw new ToolError('unknown_tool', `No tool named '${name}'`, { hint: `Tools: ${names().join(', ')}` })
    },
    clear: () => byName.clear(),
  }
  const names = () => registry.list().map(tool => tool.name)
  for (const tool of tools) registry.register(tool)
  return registry
}
