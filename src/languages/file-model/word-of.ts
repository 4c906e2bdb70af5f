/** Matches a name as a whole word. */
export const wordOf = (name: string, flags = 'u'): RegExp => {
  const pattern = name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{ID_Continue}$])${pattern}(?![\p{ID_Continue}$])`, flags)
}
