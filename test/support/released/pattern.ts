import {mkdirSync, rmSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {onServer, urlOf} from '../postgres-server.ts'
import {plant} from './plant.ts'
import {type Rows, migrationsOf, rowsIn} from './rows.ts'
import type {Engine} from './versions.ts'

export interface Place {
  /** For files, and for what processes compile. */
  folder: string
  /** Begins the names of the databases of a server. */
  prefix: string
}

/** A released version's database, of which there may be many copies. */
export interface Pattern {
  /** A fresh copy each time. */
  copy(): Promise<string>
  drop(path: string): Promise<void>
  /** No copy is made any more. */
  end(): Promise<void>
  before: Rows
  applied: readonly string[]
}

/** Copies of what a version has left. */
export async function openPattern(
  {name, engine}: {name: string; engine: Engine},
  {folder, prefix}: Place,
): Promise<Pattern> {
  let count = 0
  const nameOf = (number: number): string => `${prefix}${name.replaceAll('.', '')}_${number}`
  const describe = async (path: string) => ({
    before: await rowsIn(path),
    applied: await migrationsOf(path),
  })
  if (engine === 'sqlite') {
    const copy = async (): Promise<string> => {
      count += 1
      const path = join(folder, nameOf(count), 'bosun.db')
      await plant(name, path)
      return path
    }
    const drop = async (path: string): Promise<void> => {
      rmSync(dirname(path), {recursive: true, force: true})
    }
    mkdirSync(folder, {recursive: true})
    const path = await copy()
    const seen = await describe(path)
    await drop(path)
    return {copy, drop, end: async () => undefined, ...seen}
  }
  const template = nameOf(0)
  await onServer(`create database ${template}`)
  await plant(name, urlOf(template))
  const seen = await describe(urlOf(template))
  return {
    ...seen,
    copy: async () => {
      count += 1
      await onServer(`create database ${nameOf(count)} template ${template}`)
      return urlOf(nameOf(count))
    },
    drop: async (path) => {
      await onServer(`drop database if exists ${new URL(path).pathname.slice(1)} with (force)`)
    },
    end: async () => {
      await onServer(`drop database ${template} with (force)`)
    },
  }
}
