import type { FileModel } from '../../../languages/file-model/file-model.ts'
import type { ConfigFile } from '../../../languages/javascript/modules/module-finder.ts'
import type { Project } from '../resolve/project.ts'

/**
 * Files whose links stay valid: unchanged ones, as long as no file came or went and the others changed only their
 * references and positions.
 */
export function keepsLinks(
  before: { readonly project: Project; readonly configs: readonly ConfigFile[] },
  project: Project,
  configs: readonly ConfigFile[],
): (path: string) => boolean {
  const others = before.project.files
  if (others.size !== project.files.size || JSON.stringify(before.configs) !== JSON.stringify(configs)) return never
  const changedPaths = new Set<string>()
  for (const { path, code } of project.files.values()) {
    const old = others.get(path)?.code
    if (old === code) continue
    if (old === undefined || interfaceOf(old) !== interfaceOf(code)) return never
    changedPaths.add(path)
  }
  return path => !changedPaths.has(path)
}

const never = (): boolean => false

/** Everything that other files may depend on: no positions and no references. */
const interfaceOf = (code: FileModel): string =>
  JSON.stringify({ ...code, references: [] }, (name, value: unknown) =>
    typeof value === 'number' && /^(from|to|line|start|end|nameAt|headAt)$/.test(name) ? undefined : value,
  )
