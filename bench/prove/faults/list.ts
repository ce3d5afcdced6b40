import {AT_THE_DOOR} from './at-the-door.ts'
import type {Fault} from './fault.ts'
import {IN_THE_STORE} from './in-the-store.ts'
import {ON_THE_WAY_TO_SLACK} from './on-the-way-to-slack.ts'

export const FAULTS: readonly Fault[] = [...AT_THE_DOOR, ...IN_THE_STORE, ...ON_THE_WAY_TO_SLACK]
