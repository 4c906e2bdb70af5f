import { existsSync } from 'node:fs'
import type { Connection } from './connection.ts'
import type { ServerDefinition } from '../../../languages/server-definition.ts'

/** Provides compile commands for files without a build configuration, including files created later. */
export interface FileCommands {
  /** Options for its start; undefined if the server takes no compile commands. */
  initial(files: readonly string[]): unknown
  /** Sends the commands that new files change; those may be staged only. */
  update(connection: Pick<Connection, 'notify'>, added: Iterable<string>): void
}

export function fileCommands({ optionsFor }: Pick<ServerDefinition, 'optionsFor'>, root: string): FileCommands {
  const files = new Set<string>()
  const sentTexts = new Map<string, string>()
  return {
    initial(given) {
      for (const path of given) files.add(path)
      const options = optionsFor?.(given, root, existsSync)
      changesIn(options)
      return options
    },
    update(connection, added) {
      const before = files.size
      if (!optionsFor) return
      for (const path of added) files.add(path)
      if (files.size === before) return
      const compilationDatabaseChanges = changesIn(optionsFor([...files], root, existsSync))
      if (Object.keys(compilationDatabaseChanges).length === 0) return
      connection.notify('workspace/didChangeConfiguration', { settings: { compilationDatabaseChanges } })
    },
  }

  /** The commands that differ from those sent before. */
  function changesIn(options: unknown): Readonly<Record<string, unknown>> {
    const commands = Object.entries(Object(Object(options).compilationDatabaseChanges))
    return Object.fromEntries(
      commands.filter(([file, command]) => {
        const text = JSON.stringify(command)
        if (sentTexts.get(file) === text) return false
        sentTexts.set(file, text)
        return true
      }),
    )
  }
}
