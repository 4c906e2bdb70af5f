/** The configuration of a project of TypeScript as most are, without the DOM, which each server would read first. */
export const configuration = (more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'esnext',
      lib: ['esnext'],
      jsx: 'preserve',
      ...more,
      noEmit: true,
      types: [],
    },
    include: ['src'],
  })
