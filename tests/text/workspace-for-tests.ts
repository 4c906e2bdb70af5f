import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ToolError } from '../../src/kernel/error.ts'
import { openWorkspace } from '../../src/machine/workspace/open-workspace.ts'
import { createReadMemory } from '../../src/machine/workspace/read-memory.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'

/** A real directory with these files, opened for everything; changes stay staged. Dispose of it. */
export function workspaceWith(files: Readonly<Record<string, Buffer | string>>, mode = 0o644) {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-text-'))
  const onDisk = (path: string) => join(directory, path)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(onDisk(path)), { recursive: true })
    writeFileSync(onDisk(path), content)
    chmodSync(onDisk(path), mode)
  }
  const root = openRoot(directory)
  const memory = createReadMemory()
  const grant = (['read', 'create', 'write'] as const).map(action => ({ action, resource: '**' }))
  const open = (strictWrites = false) => openWorkspace(root, { grant, staging: createStaging(), memory, strictWrites })
  return {
    ws: open(),
    memory,
    /** The same workspace as another call sees it, without what this one staged. */
    open,
    onDisk,
    [Symbol.dispose]() {
      root.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The expected failure of a call. */
export function errorOf(act: () => unknown): ToolError {
  try {
    act()
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
  throw new Error('It did not fail')
}
