// The module `events`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const listeners = new P.WeakMap();
  const of = (emitter, name) => {
    if (!P.weakHas(listeners, emitter)) P.weakSet(listeners, emitter, new P.Map());
    const all = P.weakGet(listeners, emitter);
    if (!P.mapHas(all, name)) P.mapSet(all, name, []);
    return P.mapGet(all, name);
  };
  class EventEmitter {
    on(name, listener) {
      P.push(of(this, name), { call: V.callable('on', 'listener', listener), listener });
      return this;
    }
    prependListener(name, listener) {
      const call = V.callable('prependListener', 'listener', listener);
      P.splice(of(this, name), 0, 0, { call, listener });
      return this;
    }
    once(name, listener) {
      V.callable('once', 'listener', listener);
      const entry = { listener, call: (...values) => {
        const list = of(this, name);
        const place = P.indexOf(list, entry);
        if (place < 0) return;
        P.splice(list, place, 1);
        P.apply(listener, this, values);
      } };
      P.push(of(this, name), entry);
      return this;
    }
    off(name, listener) {
      const list = of(this, name);
      const place = P.findIndex(list, (entry) => entry.listener === listener);
      if (place >= 0) P.splice(list, place, 1);
      return this;
    }
    emit(name, ...values) {
      const list = P.slice(of(this, name));
      if (list.length === 0 && name === 'error') {
        throw values[0] instanceof P.Error ? values[0] : new P.Error(`Unhandled error. (${values[0]})`);
      }
      for (const entry of list) P.apply(entry.call, this, values);
      return list.length > 0;
    }
    removeAllListeners(name) {
      if (name === undefined) P.weakSet(listeners, this, new P.Map());
      else P.splice(of(this, name), 0);
      return this;
    }
    listenerCount(name) { return of(this, name).length; }
    listeners(name) { return P.map(of(this, name), (entry) => entry.listener); }
    eventNames() {
      const all = P.weakGet(listeners, this) ?? new P.Map();
      return P.filter(P.fromArrayLike(all.keys()), (name) => of(this, name).length > 0);
    }
    setMaxListeners() { return this; }
    addListener(name, listener) { return this.on(name, listener); }
    removeListener(name, listener) { return this.off(name, listener); }
  }
  EventEmitter.EventEmitter = EventEmitter;
  EventEmitter.defaultMaxListeners = 10;
  EventEmitter.once = (emitter, name) => new P.Promise((resolve, reject) => {
    emitter.once(name, (...values) => resolve(values));
    if (name !== 'error') emitter.once('error', reject);
  });
  return P.freeze({ EventEmitter });
}
