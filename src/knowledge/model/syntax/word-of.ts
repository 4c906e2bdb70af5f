/** Matches a name as a whole word. */
export const wordOf = (name: string, flags = 'u'): RegExp => {
  const escaped = name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{ID_Continue}$])${escaped}(?![\p{ID_Continue}$])`, flags)
}
