/** Finds a name as a word of its own. */
export const wordOf = (name: string, flags = 'u'): RegExp => {
  const escaped = name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{ID_Continue}$])${escaped}(?![\p{ID_Continue}$])`, flags)
}
