import type { Row } from './row.ts'

const A = 'class A:\n    def NAME(self):\n        return 1\n'
const F = 'def NAME():\n    return 1\n'
const ITEM = 'from dataclasses import dataclass\n\n\n@dataclass\nclass Item:\n    NAME: int = 0\n'

/** Each is run as `main.py`. */
export const PYTHON: readonly Row[] = [
  {
    it: 'a parameter without a type',
    files: {
      'a.py': A,
      'main.py': 'from a import A\n\n\ndef untyped(q):\n    return q.NAME()\n\n\nprint(untyped(A()))\n',
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['q.NAME()'],
  },
  {
    it: 'a parameter with a type',
    files: {
      'a.py': A,
      'main.py': 'from a import A\n\n\ndef typed(q: A):\n    return q.NAME()\n\n\nprint(typed(A()))\n',
    },
    symbol: 'A.NAME',
    answer: 'done',
  },
  {
    it: 'getattr',
    files: { 'a.py': A, 'main.py': "from a import A\n\nprint(getattr(A(), 'NAME')())\n" },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['getattr'],
  },
  {
    it: 'setattr and hasattr',
    files: {
      'a.py': ITEM,
      'main.py': "from a import Item\n\ni = Item()\nsetattr(i, 'NAME', 4)\nprint(hasattr(i, 'NAME'), i.NAME)\n",
    },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'refused',
    include: ['setattr', 'hasattr'],
  },
  {
    it: 'attrgetter',
    files: {
      'a.py': ITEM,
      'main.py': "from operator import attrgetter\nfrom a import Item\n\nprint(attrgetter('NAME')(Item(3)))\n",
    },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'refused',
    include: ['attrgetter('],
  },
  {
    it: 'the path of a mock',
    files: {
      'a.py': F,
      'main.py':
        "from unittest.mock import patch\nimport a\n\nwith patch('a.NAME', return_value=5):\n    print(a.NAME())\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ["patch('a.NAME'"],
  },
  {
    it: 'a mock of an object',
    files: {
      'a.py': A,
      'main.py':
        "from unittest.mock import patch\nfrom a import A\n\nwith patch.object(A, 'NAME', return_value=5):\n    print(A().NAME())\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['patch.object'],
  },
  {
    it: 'fields of a dataclass by keyword',
    files: { 'a.py': ITEM, 'main.py': 'from a import Item\n\nprint(Item(NAME=3).NAME)\n' },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'done',
  },
  {
    it: 'fields of a dataclass from a dictionary',
    files: { 'a.py': ITEM, 'main.py': "from a import Item\n\ngiven = {'NAME': 3}\nprint(Item(**given).NAME)\n" },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'refused',
    include: ["{'NAME': 3}"],
  },
  {
    it: 'keywords that are handed on',
    files: {
      'a.py': ITEM,
      'main.py': 'from a import Item\n\n\ndef make(**kw):\n    return Item(**kw)\n\n\nprint(make(NAME=3).NAME)\n',
    },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'refused',
    include: ['make(NAME=3)'],
  },
  {
    it: 'names of a dataclass that are read',
    files: {
      'a.py': ITEM,
      'main.py': 'from dataclasses import asdict\nfrom a import Item\n\nprint(asdict(Item(3)))\n',
    },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'refused',
  },
  {
    it: 'a parameter that is given by keyword',
    files: { 'a.py': 'def f(NAME=1):\n    return NAME\n', 'main.py': 'from a import f\n\nprint(f(NAME=2))\n' },
    symbol: 'NAME',
    line: 1,
    answer: 'done',
  },
  {
    it: 'a parameter that is given from a dictionary',
    files: { 'a.py': 'def f(NAME=1):\n    return NAME\n', 'main.py': "from a import f\n\nprint(f(**{'NAME': 2}))\n" },
    symbol: 'f.NAME',
    line: 1,
    answer: 'refused',
    include: ["**{'NAME': 2}"],
  },
  {
    it: 'a parameter of a function that is handed on',
    files: {
      'a.py': 'def f(NAME=1):\n    return NAME\n',
      'main.py': 'from a import f\n\n\ndef call(g):\n    return g(NAME=2)\n\n\nprint(call(f))\n',
    },
    symbol: 'NAME',
    line: 1,
    answer: 'refused',
    include: ['g(NAME=2)'],
  },
  {
    it: '__all__ and a star',
    files: { 'a.py': `__all__ = ['NAME']\n\n\n${F}`, 'main.py': 'from a import *\n\nprint(NAME())\n' },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: '__all__ that is made by hand',
    files: {
      'a.py': `names = ['NAME']\n__all__ = [*names]\n\n\n${F}`,
      'main.py': 'from a import *\n\nprint(NAME())\n',
    },
    symbol: 'NAME',
    answer: 'refused',
  },
  {
    it: 're-exports of a package',
    files: {
      'pkg/a.py': F,
      'pkg/__init__.py': 'from .a import NAME\n',
      'main.py': 'from pkg import NAME\n\nprint(NAME())\n',
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a decorator that registers by the name',
    files: {
      'a.py':
        'known = {}\n\n\ndef command(f):\n    known[f.__name__] = f\n    return f\n\n\n@command\ndef NAME():\n    return 1\n',
      'main.py': 'from a import known\n\nprint(sorted(known), known[list(known)[0]]())\n',
    },
    symbol: 'NAME',
    answer: 'refused',
  },
  {
    it: 'a decorator that does not care',
    files: {
      'a.py': 'def twice(f):\n    return lambda: f() * 2\n\n\n@twice\ndef NAME():\n    return 1\n',
      'main.py': 'from a import NAME\n\nprint(NAME())\n',
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'overrides and calls of super',
    files: {
      'a.py': A,
      'main.py':
        'from a import A\n\n\nclass B(A):\n    def NAME(self):\n        return super().NAME() + 1\n\n\ndef go(a: A):\n    return a.NAME()\n\n\nprint(go(B()))\n',
    },
    symbol: 'A.NAME',
    answer: 'done',
  },
  {
    it: 'a protocol that a class has without saying so',
    files: {
      'a.py': A,
      'main.py':
        'from typing import Protocol\nfrom a import A\n\n\nclass Picks(Protocol):\n    def NAME(self) -> int: ...\n\n\ndef go(p: Picks):\n    return p.NAME()\n\n\nprint(go(A()))\n',
    },
    symbol: 'A.NAME',
    answer: 'refused',
  },
  {
    it: 'two classes that are used alike',
    files: {
      'a.py': A,
      'main.py':
        'from a import A\n\n\nclass B:\n    def NAME(self):\n        return 2\n\n\nprint(sum(x.NAME() for x in (A(), B())))\n',
    },
    symbol: 'A.NAME',
    answer: 'refused',
  },
  {
    it: 'a text with places for attributes',
    files: { 'a.py': ITEM, 'main.py': "from a import Item\n\nprint('it is {0.NAME}'.format(Item(3)))\n" },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'refused',
    include: ['{0.NAME}'],
  },
  {
    it: 'a text with code in it',
    files: { 'a.py': ITEM, 'main.py': "from a import Item\n\ni = Item(3)\nprint(f'NAME it: {i.NAME}')\n" },
    symbol: 'Item.NAME',
    line: 6,
    answer: 'done',
  },
  {
    it: 'globals',
    files: {
      'a.py': `${F}\n\ndef call(name):\n    return globals()[name]()\n`,
      'main.py': "from a import call\n\nprint(call('NAME'))\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ["call('NAME')"],
  },
  {
    it: 'a module that is loaded by its name',
    files: { 'a.py': F, 'main.py': "from importlib import import_module\n\nprint(import_module('a').NAME())\n" },
    symbol: 'NAME',
    answer: 'refused',
    include: ['.NAME()'],
  },
  {
    it: 'an entry point',
    files: {
      'a.py': F,
      'pyproject.toml': '[project.scripts]\nrun = "a:NAME"\n',
      'main.py':
        "import tomllib\nfrom importlib import import_module\nfrom pathlib import Path\n\nread = tomllib.loads(Path(__file__).with_name('pyproject.toml').read_text())\nmodule, name = read['project']['scripts']['run'].split(':')\nprint(getattr(import_module(module), name)())\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ['run = "a:NAME"'],
  },
  {
    it: 'a method that a configuration names',
    files: {
      'a.py': A,
      'steps.yaml': 'step: NAME\n',
      'main.py':
        "from pathlib import Path\nfrom a import A\n\nstep = Path(__file__).with_name('steps.yaml').read_text().split(': ')[1].strip()\nprint(getattr(A(), step)())\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['step: NAME'],
  },
  {
    it: 'a proxy',
    files: {
      'a.py': A,
      'main.py':
        'from a import A\n\n\nclass Proxy:\n    def __init__(self, one):\n        self.one = one\n\n    def __getattr__(self, name):\n        return getattr(self.one, name)\n\n\nprint(Proxy(A()).NAME())\n',
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['Proxy(A()).NAME()'],
  },
  {
    it: 'code in a text',
    files: { 'a.py': F, 'main.py': "from a import NAME\n\nprint(eval('NAME() + 1'))\n" },
    symbol: 'NAME',
    answer: 'refused',
    include: ['eval('],
  },
  {
    it: 'the module as a whole',
    files: { 'a.py': F, 'main.py': 'import a\n\nprint(a.NAME())\n' },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'an import of the same name from a package that is not installed',
    files: {
      'a.py': F,
      'b.py': 'try:\n    from not_installed_here import NAME\nexcept ImportError:\n    NAME = None\n',
      'main.py': 'from a import NAME\n\nprint(NAME())\n',
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'an unresolved base',
    files: {
      'a.py': 'from nowhere import Base\n\n\nclass A(Base):\n    def NAME(self):\n        return 1\n',
      'main.py':
        "import sys\nimport types\n\n\nclass Base:\n    def run(self):\n        return [getattr(self, n) for n in dir(self) if n.startswith('pick')][0]()\n\n\nsys.modules['nowhere'] = types.SimpleNamespace(Base=Base)\nfrom a import A\n\nprint(A().run())\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
  },
  {
    it: 'a deleted method that getattr finds',
    files: { 'a.py': A, 'main.py': "from a import A\n\nprint(getattr(A(), 'NAME')())\n" },
    symbol: 'A.NAME',
    refactor: { kind: 'delete', symbol: 'A.NAME' },
    answer: 'refused',
  },
  {
    it: 'a class that stands in for another',
    files: {
      'a.py': `${A}\n\ndef go(a: A):\n    return a.NAME()\n`,
      'main.py':
        'from a import go\n\n\nclass Fake:\n    def NAME(self):\n        return 5\n\n\nprint(go(Fake()))  # type: ignore\n',
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['def NAME'],
  },
  {
    it: 'a member of an enum that is printed',
    files: {
      'a.py': 'from enum import Enum\n\n\nclass Kind(Enum):\n    NAME = 1\n',
      'main.py': 'from a import Kind\n\nprint([k.name for k in Kind])\n',
    },
    symbol: 'Kind.NAME',
    line: 5,
    answer: 'refused',
  },
  {
    it: 'a star without __all__, and a part of a function',
    files: { 'a.py': F, 'main.py': 'from functools import partial\nfrom a import *\n\nprint(partial(NAME)())\n' },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a partial with a keyword',
    files: {
      'a.py': 'def f(NAME=1):\n    return NAME\n',
      'main.py': 'from functools import partial\nfrom a import f\n\nprint(partial(f, NAME=2)())\n',
    },
    symbol: 'NAME',
    line: 1,
    answer: 'done',
  },
  {
    it: 'slots',
    files: {
      'a.py': "class A:\n    __slots__ = ('NAME',)\n\n    def __init__(self):\n        self.NAME = 1\n",
      'main.py': 'from a import A\n\nprint(A().NAME)\n',
    },
    symbol: 'A.NAME',
    line: 5,
    answer: 'refused',
    include: ['__slots__'],
  },
  {
    it: 'a deleted function that a decorator registers',
    files: {
      'a.py':
        'known = []\n\n\ndef command(f):\n    known.append(f)\n    return f\n\n\n@command\ndef NAME():\n    return 1\n',
      'main.py': 'from a import known\n\nprint([f() for f in known])\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a method by a name that is put together',
    files: {
      'a.py': 'class A:\n    def do_NAME(self):\n        return 1\n',
      'main.py': "from a import A\nfor verb in ('NAME'[:],):\n    print(getattr(A(), f'do_{verb}')())\n",
    },
    symbol: 'A.do_NAME',
    answer: 'refused',
  },
  {
    it: 'a function of a module by a name that is put together',
    files: {
      'a.py': 'def handler_NAME():\n    return 1\n',
      'main.py': "import a\nfor n in ('NAME'[:],):\n    print(vars(a)['handler_' + n]())\n",
    },
    symbol: 'handler_NAME',
    refactor: { kind: 'delete', symbol: 'handler_NAME' },
    answer: 'refused',
  },
  {
    it: 'a method that no name which is put together can be',
    files: {
      'a.py': 'class A:\n    def NAME(self):\n        return 1\n    def on_x(self):\n        return 2\n',
      'main.py': "from a import A\na = A()\nx = 'x'\nprint(getattr(a, 'on_' + x)(), a.NAME())\n",
    },
    symbol: 'A.NAME',
    answer: 'done',
  },
  {
    it: 'a deleted value whose call has an effect',
    files: { 'a.py': 'REG = []\nNAME = REG.append("x")\n', 'main.py': 'import a\n\nprint(a.REG)\n' },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a deleted class whose body has an effect',
    files: {
      'a.py': 'REG = []\n\n\nclass NAME:\n    REG.append("x")\n',
      'main.py': 'import a\n\nprint(a.REG)\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a deleted class whose base is told of it',
    files: {
      'a.py':
        'REG = []\n\n\nclass Base:\n    def __init_subclass__(cls):\n        REG.append(1)\n\n\nclass NAME(Base):\n    pass\n',
      'main.py': 'import a\n\nprint(a.REG)\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a deleted class whose methods have effects',
    files: {
      'a.py':
        'REG = []\n\n\nclass NAME:\n    """Appends (once)."""\n\n    sizes = list()\n\n    def one(self):\n        REG.append(1)\n',
      'main.py': 'import a\n\nprint(a.REG)\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'done',
  },
]
