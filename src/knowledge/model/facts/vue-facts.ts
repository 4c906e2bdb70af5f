import { javascriptOutline } from '../javascript/javascript-model.ts'
import { componentScripts } from '../script-only.ts'
import { outlineFacts } from './outline-facts.ts'
import type { OwnFacts } from './own-facts.ts'

/** The facts of a Vue single file: those of its scripts, on the lines where they stand. */
export function vueFacts(path: string, text: string): OwnFacts {
  const scripts = componentScripts(text).map(({ code, start, ending, isSetup }) => {
    // Whatever stands before it becomes empty lines.
    const above = text.slice(0, start).replaceAll(/[^\n]/g, '')
    const outline = javascriptOutline(`${path}.${ending}`, 'vue', above + code, { tags: true })
    return { isSetup, facts: outlineFacts(outline) }
  })
  const isComponent = scripts.length > 0 || /<template[\s>]/.test(text)
  const name = componentName(path)
  const tags = scripts.flatMap(({ facts }) => facts.tags)
  const symbols = scripts.flatMap(({ facts }) => facts.symbols)
  const exports = scripts.flatMap(({ isSetup, facts }) => (isSetup ? [] : facts.exports))
  return {
    language: 'vue',
    // The compiler exports the component as default, whatever the script says.
    exports: [...new Set(isComponent ? ['default', ...exports] : exports)],
    ...(isComponent && name !== undefined && { defaultName: name }),
    stars: [],
    tags: [...new Set(['vue', ...(isComponent ? ['vue-component'] : []), ...tags])].toSorted(),
    symbols: symbols.toSorted((one, other) => one.from - other.from),
  }
}

/** A component is called after its file. */
function componentName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.vue$/i, '')
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : undefined
}
