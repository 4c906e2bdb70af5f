import type { Row } from './row.ts'

const HEAD = 'int NAME(int a);\n'
const F = '#include "a.h"\nint NAME(int a) { return a + 1; }\n'
const main = (body: string, before = '') =>
  `#include <stdio.h>\n#include <string.h>\n#include <stddef.h>\n#include "a.h"\n${before}int main(void) { ${body} return 0; }\n`

/** All sources of each are compiled together. */
export const C: readonly Row[] = [
  {
    it: 'a header and its users',
    files: { 'a.c': F, 'a.h': HEAD, 'main.c': main('printf("%d\\n", NAME(1));') },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a pointer to a function',
    files: { 'a.c': F, 'a.h': HEAD, 'main.c': main('int (*f)(int) = NAME; printf("%d\\n", f(1));') },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a table with the name as a text',
    files: {
      'a.c': F,
      'a.h': HEAD,
      'main.c': main(
        'printf("%s %d\\n", table[0].name, table[0].run(1));',
        'static struct { const char *name; int (*run)(int); } table[] = { { "NAME", NAME } };\n',
      ),
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'the text of a macro',
    files: { 'a.c': F, 'a.h': HEAD, 'main.c': main('printf("%d\\n", CALL(1));', '#define CALL(x) NAME(x)\n') },
    symbol: 'NAME',
    answer: 'refused',
    include: ['#define CALL'],
  },
  {
    it: 'a macro that makes a text of its argument',
    files: {
      'a.c': F,
      'a.h': HEAD,
      'main.c': main('printf("%s %d\\n", TEXT(NAME), NAME(1));', '#define TEXT(x) #x\n'),
    },
    symbol: 'NAME',
    answer: 'refused',
    leave: true,
  },
  {
    it: 'a macro that calls and makes a text of its argument',
    files: { 'a.c': F, 'a.h': HEAD, 'main.c': main('SHOW(NAME);', '#define SHOW(f) printf("%s %d\\n", #f, f(1))\n') },
    symbol: 'NAME',
    answer: 'refused',
  },
  {
    it: 'a macro that pastes a name together',
    files: {
      'a.c': '#include "a.h"\nint run_NAME(int a) { return a + 1; }\n',
      'a.h': 'int run_NAME(int a);\n',
      'main.c': main('printf("%d\\n", RUN(NAME)(1));', '#define RUN(x) run_##x\n'),
    },
    symbol: 'run_NAME',
    answer: 'refused',
  },
  {
    it: 'a part that the compiler is not shown',
    files: {
      'a.c': F,
      'a.h': HEAD,
      'main.c': main('\n#ifdef OTHER\nprintf("%d\\n", NAME(2));\n#else\nprintf("%d\\n", NAME(1));\n#endif\n'),
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ['NAME(2)'],
  },
  {
    it: 'a member of a struct',
    files: {
      'a.h': 'struct s { int other; int NAME; };\nint get(struct s *s);\n',
      'a.c': '#include "a.h"\nint get(struct s *s) { return s->NAME; }\n',
      'main.c': main('struct s s = { .other = 1, .NAME = 2 }; printf("%d\\n", get(&s) + s.NAME);'),
    },
    symbol: 's.NAME',
    line: 1,
    answer: 'done',
  },
  {
    it: 'a member of a struct in a macro',
    files: {
      'a.h': 'struct s { int other; int NAME; };\nint get(struct s *s);\n#define OF(x) ((x)->NAME)\n',
      'a.c': '#include "a.h"\nint get(struct s *s) { return s->NAME; }\n',
      'main.c': main('struct s s = { 1, 2 }; printf("%d %d\\n", OF(&s), (int)offsetof(struct s, NAME));'),
    },
    symbol: 's.NAME',
    line: 1,
    answer: 'refused',
    include: ['#define OF'],
  },
  {
    it: 'a function that runs before main',
    files: {
      'a.c': '#include "a.h"\nint ready;\n__attribute__((constructor)) static void NAME(void) { ready = 1; }\n',
      'a.h': 'extern int ready;\n',
      'main.c': main('printf("%d\\n", ready);'),
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a function that another is an alias of',
    files: {
      'a.c': `${F}int second(int a) __attribute__((alias("NAME")));\n`,
      'a.h': `${HEAD}int second(int a);\n`,
      'main.c': main('printf("%d\\n", second(1));'),
    },
    symbol: 'NAME',
    answer: 'refused',
  },
]
