import { posix } from 'node:path'
import { languageOf } from '../../../model/languages.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import type { Sources } from '../../source.ts'
import { importersAround } from '../importers-around.ts'

const SCRIPT = /\bimport\s*\(|\brequire\s*\(|\*\s*as\s|\bimport\.meta\.glob|\b(?:import|require)(?:Actual|Mock)\b/
const SCRIPT_OWN = /\beval\s*\(|\bnew\s+Function\b|\b(?:exports|globalThis|window|self)\s*\[/
const PYTHON_OWN = /\b(?:globals|vars|eval|exec|locals)\s*\(|\bsys\.modules\b|\b__dict__\b/
const PYTHON = /\bimportlib\b|\b__import__\s*\(|\bsys\.modules\b|^\s*import\s|\bimport\s*\*/m

/** Whether somebody has a module as a value, so that any of its names can be looked up in it. */
export async function isHeldWhole(
  parts: CodeParts,
  sources: Sources,
  path: string,
  deadline: Deadline,
): Promise<boolean> {
  const language = languageOf(path)
  const isPython = language === 'python'
  if (!isPython && !/^(?:typescript|javascript|vue)$/.test(language ?? '')) return true
  if ((isPython ? PYTHON_OWN : SCRIPT_OWN).test(sources(path).text)) return true
  const stem = posix
    .basename(path)
    .replace(/(?:\.d)?\.\w+$/, '')
    .replaceAll(/\W/g, '.')
  const whole = isPython ? new RegExp(`${PYTHON.source}|import\\s[^#\\n]*\\b${stem}\\b`, 'm') : SCRIPT
  const importers = await importersAround(parts, path, { reach: 'all', deadline })
  return importers.some(each => parts.mayRead(each) && whole.test(sources(each).text))
}
