/** A TypeScript package of so many files: each imports a few before it, one is imported by many, and some are tests. */
export function generatedPackage(count: number): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': '{ "name": "generated", "type": "module" }\n',
    'tsconfig.json': `${JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] })}\n`,
    'src/base.ts': BASE,
  }
  for (let at = 0; at < count - 1; at++) {
    const imports = [at - 1, at - 7, Math.floor(at / 2)].filter((one, place, all) => {
      return one >= 0 && one < at && all.indexOf(one) === place
    })
    const usesBase = at % 7 === 0
    files[at % 10 === 9 ? `src/part${at}.test.ts` : `src/part${at}.ts`] = [
      ...imports.map(one => `import { part${one} } from './part${one}${one % 10 === 9 ? '.test' : ''}'`),
      ...(usesBase ? [`import { scale, type Size } from './base'`] : []),
      `export interface Kind${at} { readonly value: number; readonly name: string }`,
      `export function part${at}(value: number): number {`,
      ...(usesBase ? [`  const size: Size = { width: value, height: scale(value) }`] : []),
      `  return value${imports.map(one => ` + part${one}(value)`).join('')}${usesBase ? ' + size.height' : ''}`,
      '}',
      '',
    ].join('\n')
  }
  return files
}

const OPTIONS = {
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'esnext',
  strict: true,
  noEmit: true,
  types: [],
}

const BASE = `export interface Size {
  readonly width: number
  readonly height: number
}

/** Makes something larger. */
export function scale(value: number): number {
  return value * 2
}
`
