// Runs before the program, so what it uses is what the engine made.
(function (names, call, print, pause) {
  'use strict'
  const { create, defineProperty, freeze } = Object
  const { parse } = JSON
  const Later = Promise
  const own = (object, name, value) => defineProperty(object, name, { value, enumerable: true })
  const hidden = (object, name, value) =>
    defineProperty(object, name, { value, writable: true, configurable: true })

  class ToolCallError extends Error {
    constructor(toolName, message) {
      super(message)
      hidden(this, 'name', 'ToolCallError')
      hidden(this, 'toolName', toolName)
    }
  }

  // What the program waits for, by the number that the host gave it.
  const waiting = create(null)
  const wait = (number) =>
    new Later((resolve, reject) => {
      waiting[number] = { resolve, reject }
    })

  let main
  const kit = {
    begin: (promise) => {
      main = promise
    },
    main: () => main,
    object: Object.prototype,
    array: Array.prototype,
    resolve: (number, text) => {
      const { resolve } = waiting[number]
      delete waiting[number]
      resolve(text === undefined ? undefined : parse(text))
    },
    reject: (number, toolName, message) => {
      const { reject } = waiting[number]
      delete waiting[number]
      reject(new ToolCallError(toolName, message))
    },
  }

  const tools = create(null)
  for (const name of names) {
    own(tools, name, (...given) => wait(call(kit, name, given.length > 0, given[0])))
  }
  const console = create(null)
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    own(console, level, (...parts) => print(kit, parts))
  }

  // Timers are the one thing that programs expect of every host.
  const timers = create(null)
  const setTimeout = (run, ms, ...given) => {
    const number = pause(+ms || 0)
    timers[number] = true
    const passed = () => {
      if (!timers[number]) return
      delete timers[number]
      run(...given)
    }
    waiting[number] = { resolve: passed }
    return number
  }
  const clearTimeout = (number) => {
    delete timers[number]
  }

  hidden(globalThis, 'tools', freeze(tools))
  hidden(globalThis, 'console', freeze(console))
  hidden(globalThis, 'ToolCallError', ToolCallError)
  hidden(globalThis, 'setTimeout', setTimeout)
  hidden(globalThis, 'clearTimeout', clearTimeout)
  // Where the host finds it again, and nobody can put another in its place.
  defineProperty(globalThis, '__dsh_main__', { value: freeze(kit) })
  return kit
})
