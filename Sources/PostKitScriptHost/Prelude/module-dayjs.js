// The module `dayjs`: dates that are read, changed, compared and written, with its plugin `utc`.
(core) => {
  'use strict';
  const P = core.part('primordials');

  const units = { y: 'year', M: 'month', d: 'day', D: 'date', h: 'hour', m: 'minute', s: 'second',
    ms: 'millisecond', w: 'week', Q: 'quarter', day: 'day', date: 'date' };
  const unit = (name) => {
    const text = P.String(name ?? 'ms');
    if (P.has(units, text)) return units[text];
    return P.replace(P.lower(text), /s$/, '');
  };
  const lengths = { millisecond: 1, second: 1000, minute: 60000, hour: 3600000, day: 86400000,
    date: 86400000, week: 604800000 };
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August',
    'September', 'October', 'November', 'December'];
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const methods = { year: 'FullYear', month: 'Month', date: 'Date', day: 'Day', hour: 'Hours',
    minute: 'Minutes', second: 'Seconds', millisecond: 'Milliseconds' };
  const two = (value, width = 2) => P.pad(`${P.Math.abs(value)}`, width, '0');

  const read = (value, isUTC) => {
    if (value === undefined) return new P.Date();
    if (value === null) return new P.Date(P.Number.NaN);
    if (value instanceof Dayjs) return new P.Date(value.valueOf());
    if (value instanceof P.Date) return new P.Date(+value);
    const found = typeof value === 'string' && !P.test(/Z$/i, value)
      && P.exec(/^(\d{4})[-/]?(\d{1,2})?[-/]?(\d{0,2})[Tt\s]*(\d{1,2})?:?(\d{1,2})?:?(\d{1,2})?[.:]?(\d+)?$/, value);
    if (!found) return new P.Date(value);
    const [, year, month = 1, date, hour = 0, minute = 0, second = 0, fraction = '0'] = found;
    const parts = [+year, month - 1, +(date || 1), +hour, +minute, +second,
      +P.sub(`${fraction}00`, 0, 3)];
    return isUTC ? new P.Date(P.Date.UTC(...parts)) : new P.Date(...parts);
  };

  class Dayjs {
    constructor(date, isUTC = false) {
      P.define(this, '$d', { value: date });
      P.define(this, '$u', { value: isUTC });
    }
    $get(name) { return this.$d[`get${this.$u ? 'UTC' : ''}${methods[name]}`](); }
    $set(name, value) {
      const date = new P.Date(+this.$d);
      const prefix = this.$u ? 'setUTC' : 'set';
      if (name === 'month' || name === 'year') {
        // The last day of a shorter month stands for days that it has not.
        const day = this.$get('date');
        date[`${prefix}Date`](1);
        date[`${prefix}${methods[name]}`](value);
        const last = new Dayjs(date, this.$u).daysInMonth();
        date[`${prefix}Date`](P.Math.min(day, last));
      } else if (name === 'day') {
        date[`${prefix}Date`](this.$get('date') + (value - this.$get('day')));
      } else {
        date[`${prefix}${methods[name]}`](value);
      }
      return new Dayjs(date, this.$u);
    }
    isValid() { return !P.isNaN(+this.$d); }
    clone() { return new Dayjs(new P.Date(+this.$d), this.$u); }
    valueOf() { return +this.$d; }
    unix() { return P.Math.floor(+this.$d / 1000); }
    toDate() { return new P.Date(+this.$d); }
    toJSON() { return this.isValid() ? this.toISOString() : null; }
    toISOString() { return this.$d.toISOString(); }
    toString() { return this.$d.toUTCString(); }
    isUTC() { return this.$u; }
    utc() { return new Dayjs(this.toDate(), true); }
    local() { return new Dayjs(this.toDate(), false); }
    utcOffset() { return this.$u ? 0 : -this.$d.getTimezoneOffset(); }
    daysInMonth() {
      return new P.Date(P.Date.UTC(this.$get('year'), this.$get('month') + 1, 0)).getUTCDate();
    }
    get(name) {
      const known = unit(name);
      return known === 'quarter' ? this.quarter() : this.$get(known);
    }
    set(name, value) { return this.$set(unit(name), value); }
    quarter() { return P.Math.floor(this.$get('month') / 3) + 1; }
    add(count, name) {
      const known = unit(name);
      if (known === 'month') return this.$set('month', this.$get('month') + +count);
      if (known === 'quarter') return this.$set('month', this.$get('month') + 3 * count);
      if (known === 'year') return this.$set('year', this.$get('year') + +count);
      if (known === 'day' || known === 'date' || known === 'week') {
        return this.$set('date', this.$get('date') + P.Math.round((known === 'week' ? 7 : 1) * count));
      }
      return new Dayjs(new P.Date(+this.$d + count * (lengths[known] ?? 1)), this.$u);
    }
    subtract(count, name) { return this.add(-count, name); }
    startOf(name) { return this.$edge(unit(name), false); }
    endOf(name) { return this.$edge(unit(name), true); }
    $edge(name, isEnd) {
      const at = (year, month, date) => {
        const parts = isEnd ? [year, month, date, 23, 59, 59, 999] : [year, month, date];
        return new Dayjs(this.$u ? new P.Date(P.Date.UTC(...parts)) : new P.Date(...parts), this.$u);
      };
      const [year, month, date] = [this.$get('year'), this.$get('month'), this.$get('date')];
      switch (name) {
        case 'year': return isEnd ? at(year, 11, 31) : at(year, 0, 1);
        case 'quarter': {
          const first = 3 * P.Math.floor(month / 3);
          return isEnd ? at(year, first + 3, 0) : at(year, first, 1);
        }
        case 'month': return isEnd ? at(year, month + 1, 0) : at(year, month, 1);
        case 'week': return at(year, month, date - this.$get('day') + (isEnd ? 6 : 0));
        case 'day': case 'date': return at(year, month, date);
        default: break;
      }
      const length = lengths[name] ?? 1;
      const start = P.Math.floor(+this.$d / length) * length;
      return new Dayjs(new P.Date(isEnd ? start + length - 1 : start), this.$u);
    }
    diff(other, name = 'millisecond', isExact = false) {
      const that = other instanceof Dayjs ? other : dayjs(other);
      const known = unit(name);
      const zone = (that.utcOffset() - this.utcOffset()) * 60000;
      const difference = +this.$d - +that.$d;
      const inMonths = () => monthsBetween(this, that);
      const result = known === 'year' ? inMonths() / 12 : known === 'quarter' ? inMonths() / 3
        : known === 'month' ? inMonths()
          : known === 'day' || known === 'date' || known === 'week'
            ? (difference - zone) / lengths[known] : difference / (lengths[known] ?? 1);
      return isExact ? result : P.Math.trunc(result) || 0;
    }
    isBefore(other, name) { return +this.endOf(name ?? 'ms').$d < +dayjs(other).$d; }
    isAfter(other, name) { return +dayjs(other).$d < +this.startOf(name ?? 'ms').$d; }
    isSame(other, name = 'ms') {
      const time = +dayjs(other).$d;
      return +this.startOf(name).$d <= time && time <= +this.endOf(name).$d;
    }
    format(pattern = this.$u ? 'YYYY-MM-DDTHH:mm:ss[Z]' : 'YYYY-MM-DDTHH:mm:ssZ') {
      if (!this.isValid()) return 'Invalid Date';
      return P.replace(pattern,
        /\[([^\]]+)\]|Y{4}|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|a|A|m{1,2}|s{1,2}|Z{1,2}|SSS|Q|X|x/g,
        (mark, literal) => literal ?? this.$part(mark));
    }
    $part(mark) {
      const [month, day, hour] = [this.$get('month'), this.$get('day'), this.$get('hour')];
      const offset = this.utcOffset();
      const zone = (colon) => `${offset < 0 ? '-' : '+'}${two(P.Math.trunc(P.Math.abs(offset) / 60))}`
        + `${colon}${two(P.Math.abs(offset) % 60)}`;
      const short = hour % 12 || 12;
      switch (mark) {
        case 'YYYY': return two(this.$get('year'), 4);
        case 'YY': return P.sub(two(this.$get('year'), 4), -2);
        case 'M': return `${month + 1}`;
        case 'MM': return two(month + 1);
        case 'MMM': return P.sub(months[month], 0, 3);
        case 'MMMM': return months[month];
        case 'D': return `${this.$get('date')}`;
        case 'DD': return two(this.$get('date'));
        case 'd': return `${day}`;
        case 'dd': return P.sub(days[day], 0, 2);
        case 'ddd': return P.sub(days[day], 0, 3);
        case 'dddd': return days[day];
        case 'H': return `${hour}`;
        case 'HH': return two(hour);
        case 'h': return `${short}`;
        case 'hh': return two(short);
        case 'a': return hour < 12 ? 'am' : 'pm';
        case 'A': return hour < 12 ? 'AM' : 'PM';
        case 'm': return `${this.$get('minute')}`;
        case 'mm': return two(this.$get('minute'));
        case 's': return `${this.$get('second')}`;
        case 'ss': return two(this.$get('second'));
        case 'SSS': return two(this.$get('millisecond'), 3);
        case 'Z': return zone(':');
        case 'ZZ': return zone('');
        case 'Q': return `${this.quarter()}`;
        case 'X': return `${this.unix()}`;
        case 'x': return `${+this.$d}`;
        default: return mark;
      }
    }
  }
  for (const name of P.keys(methods)) {
    P.define(Dayjs.prototype, name, { value(value) {
      return value === undefined ? this.$get(name) : this.$set(name, value);
    } });
  }
  const monthsBetween = (left, right) => {
    if (left.date() < right.date()) return -monthsBetween(right, left);
    const whole = (right.year() - left.year()) * 12 + (right.month() - left.month());
    const anchor = left.add(whole, 'month');
    const isEarly = right < anchor;
    const other = left.add(whole + (isEarly ? -1 : 1), 'month');
    const part = (right - anchor) / (isEarly ? anchor - other : other - anchor);
    return -(whole + part) || 0;
  };

  const dayjs = (value) => value instanceof Dayjs ? value.clone() : new Dayjs(read(value, false));
  const utc = () => {};
  P.assign(dayjs, {
    unix: (seconds) => dayjs(seconds * 1000), isDayjs: (value) => value instanceof Dayjs,
    utc: (value) => value instanceof Dayjs ? value.utc() : new Dayjs(read(value, true), true),
    // The plugin `utc` is there already; others change the class as they do in dayjs.
    extend(plugin, options) {
      if (typeof plugin === 'function' && plugin !== utc) plugin(options, Dayjs, dayjs);
      return dayjs;
    },
    locale: () => 'en',
  });
  return P.freeze({ dayjs, utc });
}
