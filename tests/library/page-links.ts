import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { at } from '../../scripts/root.mjs'

/** `page -> target` of each link between these files of the repository that leads to none of them. */
export function missingTargets(packed: readonly string[]): readonly string[] {
  const files = new Set(packed)
  return packed.filter(isPage).flatMap(page =>
    linksOf(page)
      .filter(target => !files.has(target) && !packed.some(path => path.startsWith(`${target}/`)))
      .map(target => `${page} -> ${target}`),
  )
}

const isPage = (path: string): boolean => path.endsWith('.md') && !path.startsWith('dist/')

/** The files of the repository that a page links to. */
const linksOf = (page: string): readonly string[] => {
  const text = readFileSync(at(page), 'utf8').replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    const [path = ''] = target.split('#')
    return path === '' || /^[a-z]+:/.test(path) ? [] : [posix.join(posix.dirname(page), path).replace(/\/$/, '')]
  })
}
