import { posix } from 'node:path'
import { anyModule, type ComputedImport, type Reflection } from '../reflection.ts'

const LOADS =
  /\b(?:import|require|glob|resolve|URL)\s*\(\s*(?:\/\*[^]*?\*\/\s*)*(?:`(?<template>[^`$]*)\$\{(?<after>[^`]*)`|(?<quote>['"])(?<text>[^'"]*)\k<quote>\s*\+|['"`](?<glob>[^'"`]*\*[^'"`]*)['"`])/g
/** `import(name)`: nothing of the path is known. */
const LOADS_NAMED = /(?<!\bfunction\s+|[.\w$])(?:import|require)\s*\(\s*(?:await\s+)?[\p{ID_Start}$_(]/gu

/** The extensions of scripts and declarations. */
export const SCRIPT_ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/

/** The computed paths in a script that have a fixed part. */
export const computedPaths = (text: string): readonly ComputedImport[] =>
  Array.from(text.matchAll(LOADS), ({ index, 0: whole, groups = {} }) => {
    const { template, text: begin, glob, after = '' } = groups
    return {
      start: index,
      end: index + whole.length,
      prefix: template ?? begin ?? glob?.replace(/[^/]*\*.*$/, '') ?? '',
      suffix: after.slice(after.lastIndexOf('}') + 1),
      isGlob: glob !== undefined,
    }
  })

/** Reports whether a path relative to a script may be that of a file. */
export function mayReach(from: string, { prefix, suffix }: ComputedImport, path: string): boolean {
  const begin = prefix.startsWith('.') ? posix.join(posix.dirname(from), prefix).replace(/^\.?\/?$/, '') : ''
  const end = suffix.replace(SCRIPT_ENDING, '')
  return path.startsWith(begin) && (end === '' || path.replace(SCRIPT_ENDING, '').endsWith(end) || path.endsWith(end))
}

export const reflection: Reflection = {
  ownLookups: /\beval\s*\(|\bnew\s+Function\b|\b(?:exports|globalThis|window|self)\s*\[/,
  holdsModule: () =>
    /\bimport\s*\(|\brequire\s*\(|\*\s*as\s|\bimport\.meta\.glob|\b(?:import|require)(?:Actual|Mock)\b/,
  folderModule: 'index',
  firstStep: /^(?:@[^/]*\/)?[^/]*/,
  classNames: /\bconstructor\.name\b|\bnew\.target\.name\b/g,
  memberNames:
    /\bJSON\.stringify\s*\(|\bObject\.(?:keys|entries|getOwnPropertyNames)\s*\(|\bReflect\.ownKeys\s*\(|\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+in\b/g,
  enumeration: owner => ({
    declares: new RegExp(`\\benum\\s+${owner}\\b`),
    reads: new RegExp(`\\b${owner}\\s*\\[|\\(${owner}\\)`, 'g'),
  }),
  ownName: /^\.name\b(?!\s*[(=])/,
  decorator: { declares: name => `function ${name}`, reads: /\.name\b|[kK]ey\b/ },
  loaderWords: ['import(', 'require(', 'glob('],
  computedImports: text => [
    ...computedPaths(text),
    ...Array.from(text.matchAll(LOADS_NAMED), ({ index, 0: { length } }) => anyModule(index, index + length)),
  ],
  mayLoad: mayReach,
  namesPackages: true,
}
