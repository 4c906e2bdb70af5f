import { parseModule, walk } from './parse-module.ts'
import type { Stretch } from './syntax-file.ts'

const BRINGS = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TSImportType', 'TSExternalModuleReference'])

/** The string and template texts of a script, without the names of modules that it imports. */
export async function scriptTexts(path: string, text: string): Promise<readonly Stretch[]> {
  const found: Stretch[] = []
  const { program } = await parseModule(path, text)
  walk(program, node => {
    if (BRINGS.has(node.type)) return false
    if (node.type === 'ExportNamedDeclaration' && node.source) return false
    const isText = node.type === 'TemplateElement' || (node.type === 'Literal' && typeof node.value === 'string')
    if (isText) found.push({ start: node.start, end: node.end })
    return true
  })
  return found
}
