import { expect, test } from 'vitest';
import {
  collect,
  decimal,
  imageName,
  names,
  nonEmpty,
  packageNames,
  seeds,
  share,
  size,
  wholeNumber,
} from './arguments.ts';

test('what is accepted', () => {
  expect([
    wholeNumber(0)('0'),
    wholeNumber(1)('0012'),
    decimal(0.5)('.5'),
    decimal(1)('2'),
    ...[share('0'), share('.25')],
  ]).toEqual([0, 12, 0.5, 2, 0, 0.25]);
  expect([size(1)('4GiB'), size(2 ** 29)('512m')]).toEqual([2 ** 32, 2 ** 29]);
  expect([nonEmpty(' x '), collect('b', ['a']), collect('a', undefined)]).toEqual([
    ' x ',
    ['a', 'b'],
    ['a'],
  ]);
});

test('what is not', () => {
  for (const text of ['', ' ', 'x', '-1', '+1', '1e3', '0x10', '1.0', '9'.repeat(20), '٣']) {
    expect(() => wholeNumber(0)(text)).toThrow('a whole number of at least 0');
  }
  expect(() => wholeNumber(1)('0')).toThrow('a whole number of at least 1');
  for (const text of ['', 'x', '0', '-1', '1e3', 'Infinity', '1.', '1,5']) {
    expect(() => decimal(0.01)(text)).toThrow('a number of at least 0.01');
  }
  for (const text of ['', '1', '-0.1', '10%', '1e-1'])
    expect(() => share(text)).toThrow('a share like 0.1, below 1');
  for (const text of ['', 'much', '0', '-1GiB', '4 XB'])
    expect(() => size(1)(text)).toThrow('a size');
  expect(() => size(2 ** 20)('1KiB')).toThrow('at least 1.0 MiB');
  for (const text of ['', ' \t']) expect(() => nonEmpty(text)).toThrow('must not be empty');
});

test('names of images and packages', () => {
  for (const name of ['shop', 'shop:1', 'a/b-c__d.e:V_1.x', 'host.example:5000/shop:1']) {
    expect(imageName(name)).toBe(name);
  }
  for (const name of ['', 'Bad Tag', 'Shop:1', 'shop:', ':1', 'a//b', '-a', 'a b', 'shop:1\n']) {
    expect(() => imageName(name)).toThrow('an image name');
  }
  expect(packageNames('libstdc++6', ['make'])).toEqual(['make', 'libstdc++6']);
  for (const name of ['', 'a b;c', '--help', 'Make', 'x=1']) {
    expect(() => packageNames(name, undefined)).toThrow('a Debian package');
  }
});

test('seeds as a count or a list, and names with commas', () => {
  expect(seeds('3')).toEqual([0, 1, 2]);
  expect(seeds('0,1, 7')).toEqual([0, 1, 7]);
  expect(seeds('7,')).toEqual([7]);
  for (const text of ['', '0', '-1', 'x', '1,x', '1,,2', ',', '1001', '1,524288', '1.5']) {
    expect(() => seeds(text)).toThrow('how many, like 3, or a list');
  }
  expect(names('leaf, r2egym', ['tadpole'])).toEqual(['tadpole', 'leaf', 'r2egym']);
  expect(() => names('leaf,', undefined)).toThrow('must not be empty');
});
