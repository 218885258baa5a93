// An execution as a graph, for Graphviz: operations in program order, what they synchronise with,
// and what they read.
#ifndef HEDDLE_SHOW_DOT_H
#define HEDDLE_SHOW_DOT_H

#include "happens_before.h"
#include "view.h"

#include <string>

namespace heddle::show {

std::string ToDot(const View &view, const HappensBefore &order);

} // namespace heddle::show

#endif // HEDDLE_SHOW_DOT_H
