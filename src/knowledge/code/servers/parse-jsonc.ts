/** JSON with comments and commas at the end, as the TypeScript compiler takes it; an empty object where it is none. */
export function parseJsonc(text: string): Readonly<Record<string, unknown>> {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1')
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1')
  try {
    return Object(JSON.parse(plain))
  } catch {
    return {}
  }
}
