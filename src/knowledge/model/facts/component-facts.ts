import { languageNamed } from '../../../languages/registry.ts'
import { scriptOutline } from '../../../languages/javascript/javascript-model.ts'
import { componentScripts } from '../../../languages/javascript/script-only.ts'
import { outlineFacts } from './outline-facts.ts'
import type { OwnFacts } from './own-facts.ts'

/** The facts of a single-file component: those of its scripts, with the component's line numbers. */
export function componentFacts(path: string, language: string, text: string): OwnFacts {
  const { markupSeesScripts = false } = languageNamed(language)
  const scripts = componentScripts(text).map(({ code, start, ending, isSetup, isModule }) => {
    // The text before it becomes empty lines.
    const above = text.slice(0, start).replaceAll(/[^\n]/g, '')
    const outline = scriptOutline(`${path}.${ending}`, language, above + code, { tags: true })
    // Where markup sees the scripts, the `export` of an instance declares a property.
    return { isExporting: markupSeesScripts ? isModule : !isSetup, facts: outlineFacts(outline) }
  })
  // Such a file compiles to a component, even if it is empty.
  const isComponent = markupSeesScripts || scripts.length > 0 || /<template[\s>]/.test(text)
  const name = componentName(path)
  const tags = scripts.flatMap(({ facts }) => facts.tags)
  const symbols = scripts.flatMap(({ facts }) => facts.symbols)
  const lostNames = scripts.flatMap(({ facts }) => facts.lost ?? [])
  const exports = scripts.flatMap(({ isExporting, facts }) => (isExporting ? facts.exports : []))
  return {
    language,
    // The compiler exports the component as default, whatever the script exports.
    exports: [...new Set(isComponent ? ['default', ...exports] : exports)],
    ...(isComponent && name !== undefined && { defaultName: name }),
    stars: [],
    tags: [...new Set([language, ...(isComponent ? [`${language}-component`] : []), ...tags])].toSorted(),
    symbols: symbols.toSorted((one, other) => one.from - other.from),
    ...(lostNames.length > 0 && { lost: lostNames }),
  }
}

/** A component is named after its file. */
function componentName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : undefined
}
