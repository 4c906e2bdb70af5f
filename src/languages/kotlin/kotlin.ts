import type { Language } from '../language.ts'
import { operatorText } from './operator-texts.ts'

export const kotlin: Language = {
  name: 'kotlin',
  extensions: ['kt', 'kts'],
  family: 'jvm',
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).kotlin,
  server: {
    name: 'kotlin-lsp',
    extensions: ['kt', 'kts'],
    launch: { args: ['--stdio'] },
    install: "Install JetBrains' kotlin-lsp, so that it is on PATH",
  },
  documentation: { 'build.gradle.kts': ['kotlin', 'openjdk'] },
  hasOverloads: true,
  hasExtensions: true,
  invokedAs: 'invoke',
  blocksHaveReceivers: true,
  firstReceiverCounts: true,
  membersFirst: true,
  overloadsAcross: /./,
  functionsAreStatic: true,
  calledImplicitly: /^(toString|hashCode|next|hasNext|close)$/,
  operatorFor: (name, head) =>
    /^component\d+$/.test(name) || /\b(operator|override)\b/.test(head) ? operatorText(name) : undefined,
  operatorModifier: /\boperator\b/,
  hasPlainTypes: true,
  narrows: true,
  comparesOverrides: true,
  marksOverrides: true,
  companion: /\bcompanion object\b/,
  singleton: /\bobject\b/,
  hidesInstance: ({ signature }) => !/\binner\b/.test(signature),
  isOpenToBases: (_method, { isOverride }) => isOverride,
  indentation: '    ',
  expressionsNeedTypes: true,
}
