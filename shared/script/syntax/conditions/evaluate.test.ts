import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Statement } from '../scan.ts';
import { evaluateAssignment, evaluateCondition } from './evaluate.ts';

const known: Record<string, string | number | boolean> = {
  a: 1,
  b: 2,
  s: 'hello',
  spaced: 'a b',
  好感: 5,
  name: '小明',
  yes: true,
};
const lookUp = (name: string) => (Object.hasOwn(known, name) ? known[name] : undefined);

describe('evaluateCondition returns what the engine was observed to do', () => {
  test.each([
    ['a==1', true],
    ['a===1', true],
    ['a>0&&b>1', true],
    ['a>0 && b>1', true],
    ['(a>0)&&(b>5)', false],
    ['a+b==3', true],
    ['!c', true],
    ['s=="hello"', true],
    ["s=='hello'", true],
    ['spaced=="a b"', true],
    ['s==hello', false],
    ['name==小明', false],
    ['name=="小明"', true],
    ['c>1', false],
    ['c', false],
    ['好感>1', false],
    ['a=1', false],
    ['a%2==1', false],
    ['(a)%2==1', true],
    ['a>0&b>0', false],
    ['a>0 and b>1', false],
    ['not a', false],
    ['random()>0.5', false],
    ['', false],
    ['a', true],
    ['true', true],
    ['yes', true],
    ['a>0||c>0', true],
    ['c>0||c<0', false],
    ['a!=1', false],
    ['a>=1&&b<=2', true],
    ['(a>0)&&(b>1)', true],
    ['s!="hello"', false],
    ['!a', false],
    ['false', false],
    ['好感==5', false],
    ['0', false],
    ['1', true],
    ['a>', false],
  ])('%s is %s', (text, expected) => {
    expect(evaluateCondition(text, lookUp)).toBe(expected);
  });
});

describe('evaluateAssignment returns what the engine was observed to do', () => {
  test.each([
    ['x=5', 5],
    ['x=a+1', 2],
    ['x=a*(b+3)', 5],
    ['x=s', 'hello'],
    ['x=word', 'word'],
    ['x="hi"', '"hi"'],
    ['x=', ''],
    ['x=trueman', true],
    ['x=untrue', true],
    ['x=2024-01-01', 2022],
    ['x=你好(世界)', ''],
    ['x=e-mail', Number.NaN],
    ['x=c+1', 'c1'],
    ['x=random(1,6)+1', ''],
    ['x=a%2', 'a%2'],
    ['x=(a)%2', 1],
    ['x=a>b', 'a>b'],
    ['x=(a>b)', false],
    ['x=!a', '!a'],
    ['x=好感+1', ''],
    ['x=foo(1)', undefined],
    ['x=max(1,2)', undefined],
    ['x=random()', 0],
    ['x=random(3,8)', 3],
    ['x=random(0,1,true)', 0],
    ['x= random ( 3 , 8 ) ', 3],
    ['x=falsehood', false],
    ['x=true', true],
    ['x=false', false],
    ['x=3.5', 3.5],
    ['x=01', 1],
    ['x=好感', 5],
    ['x=你好', '你好'],
    ['x=a&&b', 'a&&b'],
    ['x=a<b', 'a<b'],
    ['x=b/a', 2],
    ['x=(a', ''],
    ['x=s+1', 'hello1'],
    ['x=yes', true],
  ])('%s', (content, value) => {
    expect(evaluateAssignment(content, lookUp, () => 0)).toEqual({ kind: 'set', name: 'x', value });
  });

  test('uses the middle of two =, ignores a content without =, and stops at a malformed call', () => {
    expect(evaluateAssignment('a=b=c', () => undefined)).toEqual({ kind: 'set', name: 'a', value: 'b' });
    expect(evaluateAssignment('a==1', lookUp)).toEqual({ kind: 'set', name: 'a', value: '' });
    expect(evaluateAssignment('a', lookUp)).toEqual({ kind: 'ignored' });
    expect(evaluateAssignment('x=random(1,)', lookUp)).toEqual({ kind: 'stuck' });
  });

  test.each([
    ['setVar:a=a - 1;', 'a=a', 1],
    ['setVar:a= -5;', 'a=', ''],
    ['setVar:a=-5;', 'a=-5', -5],
    ['setVar:a=a-1;', 'a=a-1', 0],
  ])('%s: a blank before the minus begins an argument', (line, content, value) => {
    const statement = new Statement(line, 0, 0);
    expect([statement.content, evaluateAssignment(statement.content, lookUp)]).toEqual([
      content,
      { kind: 'set', name: 'a', value },
    ]);
  });

  test('never throws on arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab1.()[]!=<>&|+-*/%?:,"\' 好'), maxLength: 60 }), (text) => {
        evaluateCondition(text, lookUp);
        evaluateAssignment(`x=${text}`, lookUp);
      }),
      { numRuns: 1500 },
    );
    expect(evaluateCondition('('.repeat(50_000), lookUp)).toBe(false);
    expect(evaluateCondition(`${'!'.repeat(9_000)}a`, lookUp)).toBe(false);
  });
});
